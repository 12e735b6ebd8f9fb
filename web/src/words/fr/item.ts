import type { words as english } from '../en/item.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'stock.caption': 'Stock de {name}',
  'stock.product': 'Produit',
  'stock.price': 'Prix',
  'stock.dealer': 'Fournisseur',
  'stock.manage': 'Gestion du stock',
  'stock.id': 'Réf.',
  'stock.available': 'Quantité disponible',
  'stock.availableCount': 'Disponible : {count}',
  'stock.amount': '{price} $',
  'stock.usd': 'USD',
  'stock.about': 'À propos du produit',
  'stock.edit': 'Modifier',
  'stock.elsewhere': '{change} depuis un autre écran',

  'Sold out': 'Épuisé',
  'Sold Available': 'Disponible à la vente',
  Delivered: 'Livrer une unité',
  'Sold Out': 'Épuisé',
  'stock.outOfStock.desktop': 'Cet article est en rupture de stock',
  'stock.outOfStock.phone': 'Aucun article en stock',

  'stock.delivered': 'Livré : {units} × {name}',
  'stock.restocked': 'Réapprovisionné : {units} × {name}',
  'stock.notDelivered': '{name} n’a pas été livré.',
  'stock.notRestocked': '{name} n’a pas été réapprovisionné.',
  'stock.unanswered': 'L’entrepôt n’a pas répondu. Si c’était compté malgré tout, le nombre le montrera.',

  'restock.label': 'Réapprovisionner l’article',
  'restock.placeholder': 'Nombre d’unités reçues',
  'restock.hint': 'Un nombre entier, 1 au moins. Il s’ajoute à la quantité disponible.',
  'restock.submit': 'Mettre à jour le stock',
  'restock.empty': 'Saisissez le nombre d’unités',
  'restock.notPositive': 'Saisissez une valeur positive',
  'restock.notWhole': 'Saisissez un nombre entier d’au moins 1, sans virgule ni point',
  'restock.tooMany': 'C’est plus qu’on ne peut compter. Il reste de la place pour {most} au plus.',

  'stock.unknown': 'Il n’y a pas d’article à cette place du rayon.',
  'stock.notChecked':
    'Aucun article ici pour le moment. Impossible de vérifier s’il a été supprimé ; nouvelle vérification en cours.',
  'stock.deleted': 'Cet article a été supprimé.',
  'stock.deletedNow': '{name} a été supprimé pendant que vous le regardiez.',
  'stock.restore': 'Restaurer',
  'stock.failed': 'L’article n’a pas pu être chargé.',

  'reorder.label': 'Seuil de réapprovisionnement',
  'reorder.own': {
    one: 'Bas à {count} unité ou moins',
    many: 'Bas à {count} d’unités ou moins',
    other: 'Bas à {count} unités ou moins',
  },
  'reorder.warehouse': {
    one: 'Bas à {count} unité ou moins, comme dans tout l’entrepôt',
    many: 'Bas à {count} d’unités ou moins, comme dans tout l’entrepôt',
    other: 'Bas à {count} unités ou moins, comme dans tout l’entrepôt',
  },
  'reorder.change': 'Modifier',
  'reorder.follow': 'Suivre l’entrepôt',
  'reorder.cancel': 'Annuler',
  'reorder.saved': 'Le seuil de {name} est enregistré.',
  'reorder.notSaved': 'Le seuil de {name} n’a pas été enregistré.',
  'reorder.conflict': 'Quelqu’un d’autre vient de le modifier. Regardez de nouveau.',
};
