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
  'alerts.onHand': { one: '{count} en stock', many: '{count} en stock', other: '{count} en stock' },
  'alerts.new': 'Nouveau',
  'alerts.empty': 'Aucune alerte.',
  'alerts.failed': 'Impossible de charger les alertes.',
  'alerts.seeAll': 'Tout marquer comme vu',
  'alerts.allSeen': 'Toutes les alertes sont marquées comme vues.',
  'alerts.earlier': 'Afficher les alertes précédentes',
  'alerts.viewLow': 'Voir les stocks faibles',
  'alerts.settings': 'Réglages des alertes',
  'alerts.toast.low': {
    one: '{name} : stock faible, reste {count}',
    many: '{name} : stock faible, restent {count}',
    other: '{name} : stock faible, restent {count}',
  },
  'alerts.toast.out': '{name} est en rupture de stock',
  'alerts.toast.many': {
    one: '{count} autre article en stock faible ou en rupture',
    many: '{count} d’autres articles en stock faible ou en rupture',
    other: '{count} autres articles en stock faible ou en rupture',
  },
  'alerts.view': 'Voir',
};
