import type { Catalogue } from '../message.ts';

// What search engines and link previews show. Only the server loads these texts.
export const words = {
  'login.description':
    'Log in to Perfume Warehouse with your email address, GitHub or Google, and continue where you left off.',
  'register.description':
    'Sign up for Perfume Warehouse in a minute and keep your perfume stock exact from the first bottle.',
  'about.description':
    'What Perfume Warehouse is, who it is for, how stock stays exact, how your data is stored and how to reach us.',
  'home.description':
    'Every bottle counted, every movement kept. Perfume Warehouse is the stock ledger for perfume dealers and suppliers: exact, live on every screen, and anything can be undone.',
  'house.summary': 'The perfumes that {name} has in stock.',
  'blogs.description': 'Answers to three questions: JavaScript versus Node, SQL versus NoSQL, and what a JWT is for.',
} as const satisfies Catalogue;
