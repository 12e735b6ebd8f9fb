import type { words as english } from '../en/search-engines.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'login.description':
    'Connectez-vous à Perfume Warehouse avec votre adresse e-mail, GitHub ou Google, et reprenez là où vous en étiez.',
  'register.description':
    'Inscrivez-vous à Perfume Warehouse en une minute et tenez un stock de parfums exact dès le premier flacon.',
  'about.description':
    'Ce qu’est Perfume Warehouse, à qui il s’adresse, comment le stock reste exact, comment vos données sont conservées et comment nous joindre.',
  'home.description':
    'Chaque flacon compté, chaque mouvement gardé. Perfume Warehouse est le registre de stock des négociants et fournisseurs de parfum : exact, à jour sur tous les écrans, et tout peut s’annuler.',
  'house.summary': 'Les parfums que {name} a en stock.',
  'blogs.description': 'Réponses à trois questions : JavaScript ou Node, SQL ou NoSQL, et à quoi sert un JWT.',
};
