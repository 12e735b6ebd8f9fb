import type { words as english } from '../en/ledger.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'stock.outOfStock.desktop': 'Cet article est en rupture de stock',
  'stock.outOfStock.phone': 'Aucun article en stock',
  'stock.delivered': 'Livré : {units} × {name}',
  'stock.restocked': 'Réapprovisionné : {units} × {name}',
  'stock.notDelivered': '{name} n’a pas été livré.',
  'stock.notRestocked': '{name} n’a pas été réapprovisionné.',
  'stock.noAnswer': 'Le serveur n’a pas répondu. Si le changement a été enregistré, la quantité se mettra à jour.',
  'stock.counted': '{name} corrigé : {before} → {after}',
  'stock.confirmed': 'Quantité confirmée : {count} × {name}',
  'stock.tooFew': '{name} n’a pas été livré : il n’en reste que {count}.',
  'stock.notCounted': 'Le comptage de {name} n’a pas été enregistré.',

  'reason.breakage': 'Casse',
  'reason.tester': 'Testeur',
  'reason.theft': 'Vol',
  'reason.miscount': 'Erreur de comptage',
  'reason.other': 'Autre',
};
