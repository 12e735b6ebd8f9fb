import type { Catalogue } from '../message.ts';

// Adding and editing an item.
export const items = {
  'add.heading': 'Create New Item',
  'add.lead': 'Whatever you type is kept on this device until the item is on the shelf.',
  'add.submit': 'Add Item',
  'add.done': 'You add a new item',
  'add.onShelf': '{name} is on the shelf.',
  'add.open': 'Open it',
  'add.wrongFields': 'Some fields need another look.',

  'itemForm.productInfo': 'Product Info',
  'itemForm.productDescription': 'Product Description',
  'itemForm.dealerInfo': 'Dealer Info',
  'itemForm.name': 'Name',
  'itemForm.price': 'Price',
  'itemForm.price.hint': 'Dollars and cents, such as 58.50',
  'itemForm.usd': 'USD',
  'itemForm.quantity': 'Quantity',
  'itemForm.quantity.hint': 'A whole number, such as 12',
  'itemForm.readAs': 'Will be saved as {value}',
  'itemForm.img': 'Image',
  'itemForm.description': 'Description',
  'itemForm.suplierName': 'Supplier name',
  'itemForm.email': 'Email',
  'itemForm.charactersMissing': { one: '{count} more character', other: '{count} more characters' },
  'itemForm.characters': { one: '{count} character', other: '{count} characters' },

  'itemForm.wrong.required': 'This field is required',
  'itemForm.wrong.descriptionTooShort': 'Minimum 50 chracter required',
  'itemForm.wrong.tooLong': { one: 'At most {count} character', other: 'At most {count} characters' },
  'itemForm.wrong.unsafe': 'Contains characters that cannot be shown',
  'itemForm.wrong.price': 'Enter a price from 0 to 10,000,000 with at most two decimals',
  'itemForm.wrong.ambiguousPrice':
    'This can be read as two different prices. Leave out the thousands separator, such as 1234 or 1234.50',
  'itemForm.wrong.quantity': 'Enter a whole number from 0 to 1,000,000,000',
  'itemForm.wrong.ambiguousQuantity':
    'This can be read as two different numbers. Leave out the thousands separator, such as 1234',
  'itemForm.wrong.imageUrl': 'Enter a web address that begins with http:// or https://',
  'itemForm.wrong.email': 'Enter a valid e-mail address',

  'draft.restored': 'Draft restored',
  'draft.discard': 'Discard',
  'draft.discarded': 'The draft was discarded.',

  'preview.heading': 'Preview',
  'preview.description': 'The first words of the description stand here',

  'picture.hint':
    'A web address, or a picture of your own: choose it, drop it here or paste it. JPEG, PNG or WebP, up to 10 MB.',
  'picture.choose': 'Choose a picture',
  'picture.chooseAnother': 'Choose another',
  'picture.camera': 'Take a photo',
  'picture.remove': 'Remove',
  'picture.drop': 'Drop the picture here',
  'picture.sending': 'Uploading the picture',
  'picture.preparing': 'Preparing the picture',
  'picture.percent': '{percent}%',
  'picture.cancel': 'Cancel',
  'picture.again': 'Try again',
  'picture.kept': 'Uploaded: {width} × {height} pixels.',
  'picture.notAPicture': 'This file is not a picture we can use. Choose a JPEG, PNG or WebP.',
  'picture.tooLarge': 'This picture is too large. Choose one of at most 10 MB.',
  'picture.offline': 'The picture was not sent: there is no connection.',
  'picture.tooMany': 'That was a lot of pictures for one hour. Try again later.',
} as const satisfies Catalogue;
