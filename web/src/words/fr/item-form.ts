import type { words as english } from '../en/item-form.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'add.heading': 'Créer un article',
  'add.lead': 'Votre saisie est conservée sur cet appareil jusqu’à l’ajout de l’article.',
  'add.submit': 'Ajouter l’article',
  'add.done': 'Vous avez ajouté un article',
  'add.added': '{name} a été ajouté.',
  'add.open': 'Ouvrir la fiche',
  'add.wrongFields': 'Certains champs ne sont pas valides. Corrigez-les et réessayez.',
  'add.duplicate': 'Cet article existe déjà',
  'add.duplicate.question': 'Un article « {name} » de {supplier} existe déjà. En ajouter un autre ?',
  'add.duplicate.add': 'En ajouter un autre',
  'add.duplicate.back': 'Revenir au formulaire',
  'add.duplicate.open': 'Ouvrir l’article existant',

  'itemForm.productInfo': 'Le produit',
  'itemForm.productDescription': 'Description du produit',
  'itemForm.dealerInfo': 'Le négociant',
  'itemForm.name': 'Nom',
  'itemForm.price': 'Prix',
  'itemForm.price.hint': 'Dollars et cents, par exemple 58,50',
  'itemForm.usd': 'USD',
  'itemForm.quantity': 'Quantité',
  'itemForm.quantity.hint': 'Un nombre entier, par exemple 12',
  'itemForm.savedAs': 'Sera enregistré : {value}',
  'itemForm.imageUrl': 'Image',
  'itemForm.description': 'Description',
  'itemForm.supplierName': 'Nom du fournisseur',
  'itemForm.email': 'E-mail',
  'itemForm.charactersMissing': {
    one: 'Encore {count} caractère',
    many: 'Encore {count} caractères',
    other: 'Encore {count} caractères',
  },
  'itemForm.characters': { one: '{count} caractère', many: '{count} caractères', other: '{count} caractères' },

  'field.description_too_short': 'Au moins 50 caractères sont requis',
  'field.not_a_price': 'Saisissez un prix de 0 à 10 000 000, avec deux décimales au plus',
  'field.ambiguous_price':
    'Ce nombre peut désigner deux prix différents. Écrivez-le sans séparateur de milliers, par exemple 1234 ou 1234,50',
  'field.not_a_whole_number': 'Saisissez un nombre entier de 0 à 1 000 000 000',
  'field.ambiguous_quantity':
    'Ce nombre peut se lire de deux façons. Écrivez-le sans séparateur de milliers, par exemple 1234',
  'field.not_a_web_address': 'Saisissez une adresse web qui commence par http:// ou https://',
  'field.picture_gone': 'Cette image n’existe plus. Téléversez-la à nouveau.',

  'draft.restored': 'Brouillon restauré',
  'draft.discard': 'Abandonner',
  'draft.discarded': 'Le brouillon est abandonné.',

  'preview.heading': 'Aperçu',
  'preview.description': 'Le début de la description apparaît ici',

  'picture.hint':
    'Saisissez une adresse web, ou choisissez, déposez ou collez une image. JPEG, PNG ou WebP, 10 Mo au plus.',
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
  'picture.uploaded': 'Image envoyée : {width} × {height} pixels.',
  'picture.notAPicture': 'Ce fichier n’est pas une image utilisable. Choisissez un JPEG, un PNG ou un WebP.',
  'picture.tooLarge': 'Cette image est trop lourde. Choisissez-en une de 10 Mo au plus.',
  'picture.offline': 'L’image n’a pas été envoyée : pas de connexion. Réessayez.',
  'picture.tooMany': 'Vous avez envoyé trop d’images en une heure. Réessayez plus tard.',
};
