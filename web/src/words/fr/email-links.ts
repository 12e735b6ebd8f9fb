import type { words as english } from '../en/email-links.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'reset.heading': 'Choisir un nouveau mot de passe',
  'reset.lead': 'Le nouveau mot de passe remplace l’ancien, et vous êtes déconnecté de tous les appareils.',
  'reset.submit': 'Enregistrer le mot de passe',
  'reset.done': 'Votre mot de passe a été changé. Connectez-vous avec le nouveau.',
  'reset.choose': 'Choisir un mot de passe',
  'reset.verified':
    'Votre adresse est vérifiée. Le compte a été ouvert dans un autre navigateur : choisissez un mot de passe ici. Celui de l’inscription ne fonctionne plus, au cas où il ne serait pas de vous.',
  'reset.chosen': 'Votre mot de passe est enregistré. Connectez-vous.',
  'reset.expired.heading': 'Ce lien ne fonctionne plus',
  'reset.expired.lead':
    'Ce lien a expiré ou a déjà servi. Demandez un nouvel e-mail. Le lien qu’il contient fonctionne pendant une heure.',
  'reset.expired.submit': 'Envoyer un nouvel e-mail',
  'reset.pitch.eyebrow': 'Un bon mot de passe',
  'reset.pitch.heading': 'Long vaut mieux que malin.',
  'reset.pitch.text':
    'Quatre mots sans rapport entre eux se retiennent plus facilement et se devinent plus difficilement.',

  'verify.heading': 'Vérifier votre adresse e-mail',
  'verify.lead': 'Confirmez que vous vous êtes inscrit à Perfume Warehouse avec cette adresse e-mail.',
  'verify.submit': 'Vérifier mon adresse e-mail',
  'verify.notYou': 'Vous ne vous êtes pas inscrit ? Fermez cette page. Le compte sera supprimé après deux jours.',
  'verify.done': 'Votre adresse e-mail est vérifiée.',
  'verify.continue': 'Continuer',
  'verify.expired.lead': 'Ce lien a expiré ou a déjà servi. Demandez un nouvel e-mail. Son lien est valable un jour.',
  'verify.expired.verified': 'Votre adresse e-mail est déjà vérifiée.',
  'verify.expired.loggedOut':
    'Ce lien a expiré ou a déjà servi. Connectez-vous pour continuer ou pour recevoir un nouvel e-mail. Si votre mot de passe ne fonctionne pas, choisissez « Mot de passe oublié ? » sur cette page.',
  'verify.pitch.eyebrow': 'Presque terminé',
  'verify.pitch.heading': 'Plus qu’un clic.',
  'verify.pitch.text':
    'Les alertes de stock et les liens de réinitialisation sont envoyés à cette adresse : elle doit être la vôtre.',

  'gate.heading': 'Votre adresse e-mail n’est pas vérifiée',
  'gate.lead': 'Veuillez vérifier votre adresse e-mail',
  'gate.text':
    'Nous avons envoyé un e-mail à {email}. Ouvrez le lien de cet e-mail dans ce navigateur ; cette page continuera d’elle-même.',
  'gate.waiting': 'En attente de l’ouverture du lien',
  'gate.resend': 'Renvoyer l’e-mail',
  'gate.sent': 'Nous avons envoyé un e-mail',
  'gate.failed': 'Trop de tentatives peut-être, ou un problème est survenu',
  'gate.ended':
    'Vous avez été déconnecté. Connectez-vous pour continuer. Si vous avez vérifié votre adresse sur un autre appareil, utilisez le mot de passe que vous y avez choisi.',
};
