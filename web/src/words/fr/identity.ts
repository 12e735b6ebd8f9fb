import type { words as english } from '../en/identity.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'login.heading': 'Connexion',
  'login.remember': 'Rester connecté',
  'login.loggedOut': 'Vous avez été déconnecté. Connectez-vous pour reprendre là où vous en étiez.',
  'login.unsent': {
    one: 'Connectez-vous pour envoyer {count} modification.',
    many: 'Connectez-vous pour envoyer {count} modifications.',
    other: 'Connectez-vous pour envoyer {count} modifications.',
  },
  'login.forgot': 'Mot de passe oublié ?',
  'login.submit': 'Se connecter',
  'login.pitch.eyebrow': 'Nouveau ici ?',
  'login.pitch.heading': 'Une étagère à vous, comptée au flacon près.',
  'login.pitch.open': 'Inscrivez-vous en une minute. Chaque livraison est conservée, chaque erreur peut être annulée.',
  'login.pitch.invited':
    'Les nouveaux comptes sont réservés aux personnes invitées. Si vous avez reçu une invitation, inscrivez-vous avec cette adresse.',
  'login.pitch.closed':
    'Cet entrepôt n’accepte pas de nouveaux comptes pour le moment. Si vous en avez un, connectez-vous ici.',
  'login.getStarted': 'Commencer',

  'register.heading': 'Créer un compte',
  'register.invited': 'Il faut une invitation pour s’inscrire ici. Utilisez l’adresse e-mail qui a été invitée.',
  'register.closed':
    'Cet entrepôt n’accepte pas de nouveaux comptes pour le moment. Si vous en avez déjà un, connectez-vous.',
  'register.submit': 'Créer le compte',
  'register.error': 'Erreur : {message}',
  'register.sent': 'Nous avons envoyé un e-mail à {email}. Ouvrez le lien de cet e-mail pour vérifier votre adresse.',
  'register.pitch.eyebrow': 'Vous avez déjà un compte ?',
  'register.pitch.heading': 'Vos flacons sont là où vous les avez laissés.',
  'register.pitch.text': 'Connectez-vous et reprenez là où vous en étiez.',
  'register.login': 'Se connecter',

  'identity.name': 'Nom',
  'identity.email': 'E-mail',
  'identity.password': 'Mot de passe',
  'identity.newPassword': 'Nouveau mot de passe',
  'identity.passwordHint': 'Au moins 8 caractères. Plusieurs mots font un bon mot de passe.',
  'identity.showPassword': 'Afficher le mot de passe',
  'identity.hidePassword': 'Masquer le mot de passe',
  'identity.capsLock': 'Le verrouillage des majuscules est activé.',
  'identity.or': 'ou',
  'identity.social': 'Continuer avec {provider}',
  'field.password_too_short': 'Utilisez au moins 8 caractères',
  'identity.outbox': 'Ouvrir la boîte d’envoi de la démo',

  'proof.heading': 'Confirmez que c’est bien vous',
  'proof.text': 'Cela protège votre compte si quelqu’un d’autre utilise cet appareil. Rien n’a encore changé.',
  'proof.submit': 'Confirmer',
  'proof.wrongPassword': 'Ce n’est pas votre mot de passe.',

  'proof.code': 'Code de votre application d’authentification, ou un code de secours',
  'proof.passkey': 'Utiliser une clé d’accès',
  'codeStep.heading': 'Saisissez votre code',
  'codeStep.text':
    'Ouvrez votre application d’authentification et saisissez les six chiffres affichés pour Perfume Warehouse.',
  'codeStep.recoveryText':
    'Saisissez l’un des codes de secours que vous avez conservés. Chaque code fonctionne une fois.',
  'codeStep.code': 'Code',
  'codeStep.recoveryCode': 'Code de secours',
  'codeStep.useRecovery': 'Utiliser un code de secours',
  'codeStep.useApp': 'Utiliser l’application',
  'codeStep.back': 'Retour',
  'passkey.login': 'Se connecter avec une clé d’accès',
  'passkey.cancelled': 'Aucune clé d’accès n’a été utilisée. Réessayez ou continuez autrement.',
  'authProblem.wrong_code': 'Ce code est faux ou a déjà servi.',
  'authProblem.login_expired': 'La connexion a pris trop de temps. Saisissez à nouveau votre mot de passe.',
  'authProblem.passkey_refused': 'Cette clé d’accès n’a pas été acceptée. Réessayez ou connectez-vous autrement.',
  'authProblem.last_way_in': 'C’est votre seul moyen de connexion. Définissez d’abord un mot de passe.',
  'authProblem.proof_needed': 'Rien n’a changé, car vous n’avez pas confirmé que c’est bien vous.',

  'forgot.empty': 'Saisissez votre adresse e-mail',
  'forgot.sent': 'Nous avons envoyé un e-mail de réinitialisation',

  'authProblem.invalid_email_or_password': 'E-mail ou mot de passe incorrect',
  'authProblem.account_disabled': 'Ce compte a été désactivé. Adressez-vous à la personne qui gère ce serveur.',
  'authProblem.password_too_common': 'Ce mot de passe est trop courant. Choisissez-en un autre.',
  'authProblem.password_is_personal': 'Choisissez un mot de passe qui ne soit ni votre nom ni votre adresse e-mail.',
  'authProblem.sign_up_closed': 'Il n’est pas possible de créer un compte ici. Si vous en avez un, connectez-vous.',
  'authProblem.sign_up_refused': 'Cette adresse ne peut pas s’inscrire ici. Demandez une invitation.',
  'authProblem.provider_not_found':
    'La connexion avec ce fournisseur n’est pas disponible ici. Connectez-vous autrement.',
  'authProblem.invalid_link': 'Ce lien a expiré ou a déjà servi. Demandez-en un nouveau.',
  'authProblem.invalid_input': 'Certains champs ne sont pas valides. Corrigez-les et réessayez.',
  'authProblem.too_many': 'Trop de tentatives.',
  'authProblem.waitSeconds': {
    one: 'Réessayez dans {count} seconde.',
    many: 'Réessayez dans {count} secondes.',
    other: 'Réessayez dans {count} secondes.',
  },
  'authProblem.waitMinutes': {
    one: 'Réessayez dans {count} minute.',
    many: 'Réessayez dans {count} minutes.',
    other: 'Réessayez dans {count} minutes.',
  },
  'authProblem.unknown': 'Un problème est survenu. Veuillez réessayer.',
  'authProblem.account_not_linked':
    'Un compte existe déjà avec cette adresse e-mail. Connectez-vous comme vous l’avez fait auparavant.',
  'authProblem.access_denied': 'Vous avez annulé la connexion. Réessayez ou connectez-vous autrement.',
  'authProblem.email_not_found': 'Ce fournisseur n’a pas communiqué votre adresse e-mail. Connectez-vous autrement.',
  'authProblem.social': 'La connexion avec ce fournisseur a échoué. Veuillez réessayer.',
};
