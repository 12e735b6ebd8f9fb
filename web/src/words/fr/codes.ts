import type { words as english } from '../en/codes.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'camera.label': 'Caméra',
  'camera.start': 'Scanner avec la caméra',
  'camera.stop': 'Arrêter la caméra',
  'camera.starting': 'Démarrage de la caméra…',
  'camera.aim': 'Placez un seul code-barres dans le cadre',
  'camera.light': 'Lampe',
  'camera.denied':
    'Le navigateur bloque la caméra pour ce site. Autorisez-la dans les réglages du navigateur, puis réessayez.',
  'camera.missing': 'Aucune caméra sur cet appareil. Utilisez une douchette ou la recherche.',
  'camera.insecure':
    'La caméra ne fonctionne qu’en https ou sur localhost. Demandez une adresse https à la personne qui gère ce site, ou utilisez une douchette ou la recherche.',
  'camera.busy': 'La caméra n’a pas pu démarrer. Une autre application l’utilise peut-être.',
  'camera.noDecoder': 'Le lecteur de codes-barres n’a pas pu être chargé. Vérifiez votre connexion et réessayez.',
  'camera.without': 'Continuer sans la caméra',
};
