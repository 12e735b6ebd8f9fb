import type { words as english } from '../en/about.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'about.heading': 'Une maison de compte pour le parfum',
  'about.lead':
    'Perfume Warehouse est le registre de stock des négociants et des fournisseurs : ce qui se trouve sur l’étagère, qui l’a déplacé, et quand.',
  'about.whom.heading': 'Pour qui',
  'about.whom.1':
    'Pour le négociant aux quarante flacons dans l’arrière-boutique et le fournisseur aux quarante mille dans un hall. Pour celle qui déballe la caisse, celui qui y puise pour vendre, et celle qui devra expliquer le nombre à la fin du mois.',
  'about.whom.2':
    'Vous voyez l’étagère publique sans compte. Avec un compte, vous ajoutez des articles, livrez et réassortissez, retrouvez les vôtres parmi tous les autres, et reprenez ce qui était une erreur.',
  'about.exact.heading': 'Comment le stock reste exact',
  'about.exact.1':
    'Ici, une quantité n’est jamais simplement écrasée. Chaque livraison et chaque réassort est une ligne d’un registre auquel on ne fait qu’ajouter : combien, dans quel sens, ce qui restait, qui et quand. Le nombre à l’écran est toujours la somme de ces lignes, et la base de données refuse toute autre chose.',
  'about.exact.2':
    'Quand deux personnes livrent ensemble, les deux comptent, car le serveur apprend l’écart que chacune voulait et non le total que chacune voyait. Quand la connexion se coupe et que l’on appuie de nouveau, c’est la même livraison, pas une seconde. Et le dernier flacon n’est vendu qu’une fois.',
  'about.kept.heading': 'Comment vos données sont gardées',
  'about.kept.1':
    'Elles vivent là où vous les faites tourner : dans un fichier sur une machine, ou dans une grappe PostgreSQL avec autant de serveurs que vous voulez. Rien sur ces pages ne vient d’ailleurs : ni traceurs, ni polices étrangères, ni publicité. La carte est dessinée à partir de contours que nous livrons.',
  'about.kept.2':
    'Les pages publiques ne montrent jamais l’adresse électronique d’un négociant. Les mots de passe ne sont gardés que sous forme d’empreintes lentes ; la connexion est un cookie que les scripts ne peuvent lire. Un article supprimé peut être rétabli, et l’historique demeure.',
  'about.open.heading': 'Ouvert de tous côtés',
  'about.open.1':
    'Tout ce que font les pages passe par une interface documentée que vous pouvez employer aussi. L’ensemble est un logiciel libre.',
  'about.open.api': 'Lire la référence de l’API',
  'about.open.licence': 'Lire la licence',
  'about.reach.heading': 'Comment nous joindre',
  'about.reach.1':
    'Écrivez-nous à propos de tout ce qui figure sur ces pages. Une personne répond, sous un jour ouvré.',
  'about.reach.map': 'Carte et tous les bureaux',
};
