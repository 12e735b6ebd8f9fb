import type { words as english } from '../en/floor.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'floor.mode': 'Effet d’un scan',
  'floor.deliver': 'Livrer',
  'floor.receive': 'Recevoir',
  'floor.count': 'Compter',
  'floor.find': 'Trouver',
  'floor.sound': 'Son',
  'floor.vibration': 'Vibration',

  'floor.start.deliver': 'Scannez un flacon pour le livrer, ou touchez un article.',
  'floor.start.receive': 'Scannez un flacon pour le recevoir, ou touchez un article.',
  'floor.start.count': 'Scannez les flacons l’un après l’autre, ou touchez un article et saisissez le nombre.',
  'floor.start.find': 'Scannez un flacon pour ouvrir sa page, ou touchez un article.',

  'floor.journal': 'À l’instant',
  'floor.earlier': { one: '{count} plus ancien', many: '{count} plus anciens', other: '{count} plus anciens' },
  'floor.left': 'restants',
  'floor.undone': 'Annulé',
  'floor.units': 'Unités de {name}',
  'floor.dismiss': 'Fermer',
  'floor.says.deliver': 'Livré : {units} × {name}',
  'floor.says.receive': 'Reçu : {units} × {name}',
  'floor.says.count': 'Compté : {count} × {name}',
  'floor.says.undone': 'Annulé : {units} × {name}',

  'floor.refused.deliver': 'Non livré',
  'floor.refused.receive': 'Non reçu',
  'floor.refused.count': 'Comptage non enregistré',
  'floor.countIt': 'Le compter',
  'floor.receiveIt': 'Le recevoir',

  'floor.looking': 'Recherche de {code}…',
  'floor.attach': 'Associer à un article',
  'floor.attaching': 'Touchez l’article qui porte le code {code}.',
  'floor.attached': '{name} porte maintenant le code {code}.',
  'floor.notAttached': 'Le code {code} n’a pas été associé.',

  'floor.countTogether': 'Compter à plusieurs',
  'floor.countedWas': 'comptés, {count} enregistrés auparavant',
  'floor.asRecorded': 'comptés, comme enregistré',

  'floor.search': 'Rechercher un article',
  'floor.placeholder': 'Nom, fournisseur ou code',
  'floor.recent': 'Articles récents et fréquents',
  'floor.results': 'Articles trouvés',
  'floor.onHand': 'en stock',
  'floor.tap.deliver': 'Livrer une unité :',
  'floor.tap.receive': 'Recevoir une unité :',
  'floor.tap.count': 'Compter :',
  'floor.tap.attach': 'Associer le code à :',
  'floor.noItems': 'Il n’y a pas encore d’articles.',
  'floor.nothing': 'Aucun article ne correspond à « {q} ».',
  'floor.loadFailed': 'Les articles n’ont pas pu être chargés.',
};
