import type { words as english } from '../en/home.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'hero.eyebrow': 'Pour négociants et fournisseurs',
  'hero.lead':
    'Chaque flacon compté, chaque mouvement gardé. Le registre que toute une équipe tient à la fois et que nul ne peut fausser.',
  'hero.getStarted': 'Commencer',
  'hero.liveDemo': 'Voir la démo',
  'hero.demoFailed': 'Impossible d’ouvrir la démo. Veuillez réessayer.',

  'pitch.eyebrow': 'Pourquoi un registre',
  'pitch.heading': 'Une étagère fiable est une étagère qui se souvient.',
  'pitch.lead':
    'La plupart des listes de stock gardent un seul nombre et l’écrasent. Nous gardons chaque mouvement qui l’a formé : le nombre s’explique toujours et ne se perd jamais en silence.',
  'pitch.exact.heading': 'Exact par construction',
  'pitch.exact.text':
    'Deux personnes livrent au même instant : deux flacons quittent l’étagère, pas un seul. Rien ne descend sous zéro.',
  'pitch.live.heading': 'À jour sur tous les écrans',
  'pitch.live.text': 'Ce que votre collègue déplace dans la réserve apparaît chez vous en moins d’une seconde.',
  'pitch.undo.heading': 'Rien ne se perd',
  'pitch.undo.text':
    'Une livraison par erreur, un article supprimé : annulez. L’historique garde chaque étape, avec un nom et une heure.',
  'pitch.sample.caption': 'Une page du registre',
  'pitch.sample.delivered': 'Livré',
  'pitch.sample.restocked': 'Réassort',
  'pitch.sample.undone': 'Annulé',
  'pitch.sample.onHand': 'En stock',
  'pitch.sample.when': 'Heure',
  'pitch.sample.movement': 'Mouvement',
  'pitch.sample.change': 'Écart',

  'why.heading': 'Pourquoi l’adopter',
  'why.dealers': 'négociants',
  'why.reviews': 'avis positifs',
  'why.customizable': 'personnalisable',
  'why.caption': 'Chiffres d’exemple',

  'support.heading': 'Adresse et assistance',
  'support.lead': 'Écrivez à la bonne équipe. Une personne lit chaque message et répond sous un jour ouvré.',
  'support.technical.heading': 'Assistance technique',
  'support.technical.text': 'Connexion, appareils, imports, API.',
  'support.stock.heading': 'Questions de stock',
  'support.stock.text': 'Comptages, mouvements, un total qui ne tombe pas juste.',
  'support.policy.heading': 'Règles du quotidien',
  'support.policy.text': 'Horaires, livraisons, retours, vie privée.',
  'support.bugs.heading': 'Signaler un défaut',
  'support.bugs.text': 'Dites-nous ce que vous avez fait et ce que vous avez vu.',
  'map.label': 'Carte de notre adresse',
  'map.hint': 'Utilisez les flèches pour déplacer la carte, plus et moins pour zoomer.',
  'map.zoomIn': 'Agrandir',
  'map.zoomOut': 'Réduire',
  'map.recenter': 'Revenir à notre adresse',
  'map.failed': 'Impossible d’afficher la carte. Notre adresse est ci-dessous.',
  'map.address': 'Adresse',

  'closing.heading': 'Ouvrez le registre. Comptez le premier flacon.',
  'closing.lead': 'Un compte, aucune carte bancaire. Votre entrepôt est prêt en une minute.',
};
