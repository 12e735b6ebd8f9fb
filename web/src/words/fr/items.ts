import type { items as english } from '../en/items.ts';
import type { Translation } from '../message.ts';

export const items: Translation<typeof english> = {
  'add.heading': 'Créer un article',
  'add.lead': 'Tout ce que vous saisissez reste sur cet appareil jusqu’à ce que l’article soit en rayon.',
  'add.submit': 'Ajouter l’article',
  'add.done': 'Vous avez ajouté un article',
  'add.onShelf': '{name} est en rayon.',
  'add.open': 'Ouvrir la fiche',
  'add.wrongFields': 'Certains champs sont à revoir.',

  'itemForm.productInfo': 'Le produit',
  'itemForm.productDescription': 'Description du produit',
  'itemForm.dealerInfo': 'Le revendeur',
  'itemForm.name': 'Nom',
  'itemForm.price': 'Prix',
  'itemForm.price.hint': 'Dollars et cents, par exemple 58,50',
  'itemForm.usd': 'USD',
  'itemForm.quantity': 'Quantité',
  'itemForm.quantity.hint': 'Un nombre entier, par exemple 12',
  'itemForm.readAs': 'Sera enregistré : {value}',
  'itemForm.img': 'Image',
  'itemForm.description': 'Description',
  'itemForm.suplierName': 'Nom du fournisseur',
  'itemForm.email': 'E-mail',
  'itemForm.charactersMissing': {
    one: 'Encore {count} caractère',
    many: 'Encore {count} caractères',
    other: 'Encore {count} caractères',
  },
  'itemForm.characters': { one: '{count} caractère', many: '{count} caractères', other: '{count} caractères' },

  'itemForm.wrong.required': 'Ce champ est obligatoire',
  'itemForm.wrong.descriptionTooShort': 'Au moins 50 caractères sont requis',
  'itemForm.wrong.tooLong': {
    one: '{count} caractère au plus',
    many: '{count} caractères au plus',
    other: '{count} caractères au plus',
  },
  'itemForm.wrong.unsafe': 'Contient des caractères qui ne peuvent pas être affichés',
  'itemForm.wrong.price': 'Saisissez un prix de 0 à 10 000 000, avec deux décimales au plus',
  'itemForm.wrong.ambiguousPrice':
    'Ce nombre peut désigner deux prix différents. Écrivez-le sans séparateur de milliers, par exemple 1234 ou 1234,50',
  'itemForm.wrong.quantity': 'Saisissez un nombre entier de 0 à 1 000 000 000',
  'itemForm.wrong.ambiguousQuantity':
    'Ce nombre peut se lire de deux façons. Écrivez-le sans séparateur de milliers, par exemple 1234',
  'itemForm.wrong.imageUrl': 'Saisissez une adresse web qui commence par http:// ou https://',
  'itemForm.wrong.email': 'Saisissez une adresse e-mail valide',

  'draft.restored': 'Brouillon restauré',
  'draft.discard': 'Abandonner',
  'draft.discarded': 'Le brouillon est abandonné.',

  'preview.heading': 'Aperçu',
  'preview.description': 'Les premiers mots de la description se lisent ici',

  'picture.hint':
    'Une adresse web, ou votre propre image : choisissez-la, déposez-la ici ou collez-la. JPEG, PNG ou WebP, 10 Mo au plus.',
  'picture.choose': 'Choisir une image',
  'picture.chooseAnother': 'En choisir une autre',
  'picture.camera': 'Prendre une photo',
  'picture.remove': 'Retirer',
  'picture.drop': 'Déposez l’image ici',
  'picture.sending': 'Envoi de l’image',
  'picture.preparing': 'Préparation de l’image',
  'picture.percent': '{percent} %',
  'picture.cancel': 'Annuler',
  'picture.again': 'Réessayer',
  'picture.kept': 'Image envoyée : {width} × {height} pixels.',
  'picture.notAPicture': 'Ce fichier n’est pas une image utilisable. Choisissez un JPEG, un PNG ou un WebP.',
  'picture.tooLarge': 'Cette image est trop lourde. Choisissez-en une de 10 Mo au plus.',
  'picture.offline': 'L’image n’est pas partie : il n’y a pas de connexion.',
  'picture.tooMany': 'Cela fait beaucoup d’images en une heure. Réessayez plus tard.',
};
