import type { words as english } from '../en/about.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'about.heading': 'Un stock de parfums toujours exact',
  'about.lead':
    'Perfume Warehouse tient le stock des négociants et des fournisseurs de parfum : ce qui est en stock, qui l’a déplacé, et quand.',
  'about.whom.heading': 'Pour qui',
  'about.whom.1':
    'Pour le négociant aux quarante flacons dans l’arrière-boutique et le fournisseur aux quarante mille dans un entrepôt. Pour celle qui déballe la caisse, celui qui y puise pour vendre, et celle qui devra expliquer le nombre à la fin du mois.',
  'about.whom.2':
    'Vous pouvez consulter les articles publics sans compte. Avec un compte, vous ajoutez des articles, vous livrez et réapprovisionnez, vous retrouvez les vôtres et vous annulez vos erreurs.',
  'about.exact.heading': 'Comment le stock reste exact',
  'about.exact.1':
    'Une quantité n’est jamais simplement écrasée. Chaque livraison et chaque réassort ajoute une ligne à un registre, et aucune ligne n’est jamais modifiée ni supprimée. Chaque ligne dit combien d’unités sont entrées ou sorties, combien il en restait, qui a fait le changement et quand. La quantité à l’écran est toujours la somme de ces lignes, et la base de données y veille.',
  'about.exact.2':
    'Quand deux personnes livrent en même temps, les deux livraisons comptent : chaque clic retire une unité, quel que soit le nombre affiché. Si la connexion se coupe et que vous appuyez de nouveau, cela ne compte toujours que pour une livraison. Et le dernier flacon n’est vendu qu’une fois.',
  'about.kept.heading': 'Comment vos données sont conservées',
  'about.kept.1':
    'Vos données restent là où vous faites tourner l’application : dans un fichier sur une machine, ou dans une base PostgreSQL que plusieurs serveurs partagent. Ces pages ne chargent rien d’un autre site : ni traceurs, ni polices externes, ni publicité. La carte est dessinée à partir de contours fournis avec l’application.',
  'about.kept.2':
    'Les pages publiques ne montrent jamais l’adresse e-mail d’un négociant. Les mots de passe ne sont conservés que sous forme d’empreintes longues à deviner, et les scripts ne peuvent pas lire le cookie de connexion. Un article supprimé peut être restauré, et l’historique est conservé.',
  'about.open.heading': 'API ouverte, logiciel libre',
  'about.open.1':
    'Tout ce que font ces pages passe par une API documentée que vous pouvez utiliser aussi. Toute l’application est un logiciel libre.',
  'about.open.api': 'Lire la référence de l’API',
  'about.open.licence': 'Lire la licence',
  'about.reach.heading': 'Comment nous joindre',
  'about.reach.1':
    'Écrivez-nous à propos de tout ce qui figure sur ces pages. Une personne répond, sous un jour ouvré.',
  'about.reach.map': 'Carte et tous les contacts',
};
