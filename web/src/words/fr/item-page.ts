import type { words as english } from '../en/item-page.ts';
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
  'stock.label': 'Imprimer l’étiquette',
  'stock.elsewhere': '{change} depuis un autre écran',

  'Sold out': 'Épuisé',
  'Sold Available': 'Disponible à la vente',
  Delivered: 'Livrer une unité',
  'Sold Out': 'Épuisé',

  'restock.label': 'Réapprovisionner l’article',
  'restock.placeholder': 'Nombre d’unités reçues',
  'restock.hint': 'Un nombre entier, 1 au moins. Il s’ajoute à la quantité en stock.',
  'restock.submit': 'Mettre à jour le stock',
  'restock.empty': 'Saisissez le nombre d’unités',
  'restock.notPositive': 'Saisissez une valeur positive',

  'stock.unknown': 'Cet article n’existe pas. Vérifiez le lien.',
  'stock.notChecked': 'Article introuvable. Impossible de vérifier s’il a été supprimé. Nouvelle vérification…',
  'stock.deleted': 'Cet article a été supprimé.',
  'stock.deletedNow': '{name} a été supprimé pendant que vous le consultiez.',
  'stock.restore': 'Restaurer',
  'stock.failed': 'Impossible de charger l’article.',

  'codes.sku': 'SKU',
  'codes.barcodes': 'Codes-barres',
  'codes.copy': 'Copier {code}',
  'codes.copied': '{code} a été copié',

  'reorder.label': 'Seuil de réassort',
  'reorder.own': {
    one: 'Stock faible à {count} unité ou moins',
    many: 'Stock faible à {count} d’unités ou moins',
    other: 'Stock faible à {count} unités ou moins',
  },
  'reorder.warehouse': {
    one: 'Stock faible à {count} unité ou moins (réglage de l’entrepôt)',
    many: 'Stock faible à {count} d’unités ou moins (réglage de l’entrepôt)',
    other: 'Stock faible à {count} unités ou moins (réglage de l’entrepôt)',
  },
  'reorder.change': 'Modifier',
  'reorder.useWarehouse': 'Utiliser celui de l’entrepôt',
  'reorder.cancel': 'Annuler',
  'reorder.saved': 'Le seuil de {name} a été enregistré.',
  'reorder.notSaved': 'Le seuil de {name} n’a pas été enregistré.',
  'reorder.conflict': 'Quelqu’un d’autre vient de modifier le seuil. Vérifiez la nouvelle valeur et réessayez.',
};
