import type { words as english } from '../en/alerts.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'alerts.bell': {
    one: 'Alertes : {count} nouvelle',
    many: 'Alertes : {count} de nouvelles',
    other: 'Alertes : {count} nouvelles',
  },
  'alerts.bell.quiet': 'Alertes : rien de nouveau',
  'alerts.title': 'Stock faible',
  'alerts.list': 'Alertes, les plus récentes d’abord',
  'alerts.low': 'Stock faible',
  'alerts.out': 'En rupture',
  'alerts.recovered': 'De nouveau en stock',
  'alerts.left': { one: 'reste {count}', many: 'restent {count}', other: 'restent {count}' },
  'alerts.onHand': {
    one: '{count} en rayon',
    many: '{count} en rayon',
    other: '{count} en rayon',
  },
  'alerts.new': 'Nouveau',
  'alerts.empty': 'Aucune alerte.',
  'alerts.failed': 'Les alertes n’ont pas pu être chargées.',
  'alerts.seeAll': 'Tout marquer vu',
  'alerts.allSeen': 'Toutes les alertes sont marquées comme vues.',
  'alerts.earlier': 'Afficher les alertes précédentes',
  'alerts.whatIsLow': 'Voir ce qui est bas',
  'alerts.settings': 'Réglages des alertes',
  'alerts.fell.low': {
    one: '{name} est bas : reste {count}',
    many: '{name} est bas : restent {count}',
    other: '{name} est bas : restent {count}',
  },
  'alerts.fell.out': '{name} est en rupture de stock',
  'alerts.fell.many': {
    one: '{count} autre article est bas ou en rupture',
    many: '{count} d’autres articles sont bas ou en rupture',
    other: '{count} autres articles sont bas ou en rupture',
  },
  'alerts.view': 'Voir',
};
