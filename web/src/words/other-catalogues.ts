import type { Catalogue } from './message.ts';

/**
 * The catalogues that a visitor who reads English does not need. They are listed in a module of their own because the
 * names of so many files would add 2 kB to the script of every first visit.
 */
export const otherCatalogues = {
  ...import.meta.glob<Catalogue>(
    ['./*/*.ts', '!./en/{about,blogs,email-links,home,houses,identity,site,styleguide}.ts'],
    {
      import: 'words',
    },
  ),
  // The style guide exists only under `npm run dev`, and only in English.
  ...(import.meta.env.DEV ? import.meta.glob<Catalogue>('./en/styleguide.ts', { import: 'words' }) : {}),
};
