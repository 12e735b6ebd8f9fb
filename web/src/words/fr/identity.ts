import type { words as english } from '../en/identity.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'login.heading': 'Connexion',
  'login.remember': 'Rester connecté',
  'login.loggedOut': 'Vous avez été déconnecté. Connectez-vous pour reprendre là où vous en étiez.',
  'login.forgot': 'Mot de passe oublié ?',
  'login.submit': 'Se connecter',
  'login.pitch.eyebrow': 'Nouveau dans la maison ?',
  'login.pitch.heading': 'Une étagère à vous, comptée au flacon près.',
  'login.pitch.text':
    'Un compte s’ouvre en une minute. Chaque livraison est conservée, chaque erreur peut être reprise.',
  'login.getStarted': 'Commencer',

  'register.heading': 'Créer un compte',
  'register.submit': 'Créer le compte',
  'register.error': 'Erreur : {message}',
  'register.sent': 'Nous avons écrit à {email}. Le lien de ce message vous ouvre l’entrepôt.',
  'register.pitch.eyebrow': 'Déjà parmi nous ?',
  'register.pitch.heading': 'Vos flacons sont là où vous les avez laissés.',
  'register.pitch.text': 'Connectez-vous : le registre s’ouvre à la page où vous étiez.',
  'register.login': 'Se connecter',

  'identity.name': 'Nom',
  'identity.email': 'E-mail',
  'identity.password': 'Mot de passe',
  'identity.newPassword': 'Nouveau mot de passe',
  'identity.passwordHint': 'Au moins 8 caractères. Une phrase de plusieurs mots est bienvenue.',
  'identity.showPassword': 'Afficher le mot de passe',
  'identity.hidePassword': 'Masquer le mot de passe',
  'identity.capsLock': 'Le verrouillage des majuscules est activé.',
  'identity.or': 'ou',
  'identity.social': 'Continuer avec {provider}',
  'identity.required': 'Ce champ est obligatoire',
  'identity.emailWrong': 'Saisissez une adresse e-mail',
  'identity.passwordShort': 'Au moins 8 caractères',
  'identity.outbox': 'Ouvrir la boîte d’envoi de la démo',

  'forgot.empty': 'Saisissez votre adresse e-mail',
  'forgot.sent': 'Nous avons envoyé un e-mail de réinitialisation',

  'reset.heading': 'Choisir un nouveau mot de passe',
  'reset.lead': 'Il remplace l’ancien et met fin à toutes les connexions de votre compte, sur tous les appareils.',
  'reset.submit': 'Enregistrer le mot de passe',
  'reset.done': 'Votre nouveau mot de passe est enregistré. Connectez-vous avec lui.',
  'reset.expired.heading': 'Ce lien ne fonctionne plus',
  'reset.expired.lead':
    'Il a déjà servi, il est trop ancien ou incomplet. Demandez un nouveau message ; son lien fonctionne pendant une heure.',
  'reset.expired.submit': 'Envoyer un nouveau message',
  'reset.pitch.eyebrow': 'Un bon mot de passe',
  'reset.pitch.heading': 'Long vaut mieux que malin.',
  'reset.pitch.text':
    'Quatre mots sans rapport entre eux se retiennent plus facilement et se devinent plus difficilement.',

  'gate.heading': 'Votre adresse e-mail n’est pas vérifiée',
  'gate.lead': 'Veuillez vérifier votre adresse e-mail',
  'gate.text':
    'Nous avons écrit à {email}. Ouvrez le lien de ce message dans ce navigateur ; cette page s’ouvrira d’elle-même.',
  'gate.waiting': 'En attente de l’ouverture de votre lien',
  'gate.resend': 'Renvoyer le message',
  'gate.sent': 'Nous avons envoyé un e-mail',
  'gate.failed': 'Trop de tentatives peut-être, ou quelque chose n’a pas fonctionné',
  'gate.ended':
    'Cette connexion a pris fin. Si vous avez ouvert le lien sur un autre appareil, votre adresse est vérifiée : connectez-vous.',

  'refused.invalid_email_or_password': 'E-mail ou mot de passe incorrect',
  'refused.password_too_common': 'Ce mot de passe est parmi les premiers que l’on essaierait. Choisissez-en un autre.',
  'refused.password_is_personal': 'Choisissez un mot de passe qui ne soit ni votre nom ni votre adresse e-mail.',
  'refused.provider_not_found': 'La connexion avec ce fournisseur n’est pas configurée ici.',
  'refused.invalid_link': 'Ce lien a déjà servi, est trop ancien ou n’est pas de nous. Demandez-en un nouveau.',
  'refused.invalid_input': 'Certains champs sont à revoir.',
  'refused.too_many': 'Trop de tentatives.',
  'refused.waitSeconds': {
    one: 'Réessayez dans {count} seconde.',
    many: 'Réessayez dans {count} secondes.',
    other: 'Réessayez dans {count} secondes.',
  },
  'refused.waitMinutes': {
    one: 'Réessayez dans {count} minute.',
    many: 'Réessayez dans {count} minutes.',
    other: 'Réessayez dans {count} minutes.',
  },
  'refused.unknown': 'Quelque chose n’a pas fonctionné. Veuillez réessayer.',
  'refused.account_not_linked':
    'Un compte existe déjà avec cette adresse. Connectez-vous comme vous l’avez fait auparavant.',
  'refused.access_denied': 'Vous n’avez pas accepté de vous connecter là-bas.',
  'refused.email_not_found': 'Ce fournisseur ne nous a pas communiqué d’adresse e-mail.',
  'refused.social': 'La connexion avec ce fournisseur n’a pas fonctionné. Veuillez réessayer.',
};
