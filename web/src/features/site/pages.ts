import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.home,
    source: 'src/features/site/home-page.tsx',
    load: async () => (await import('./home-page.tsx')).HomePage,
    words: 'home',
    title: 'title.home',
    description: 'home.description',
  }),
  page({
    path: pathOf.house,
    source: 'src/features/site/house-page.tsx',
    load: async () => (await import('./house-page.tsx')).HousePage,
  }),
  page({
    path: pathOf.about,
    source: 'src/features/site/about-page.tsx',
    load: async () => (await import('./about-page.tsx')).AboutPage,
    words: 'about',
    title: 'title.about',
    description: 'about.description',
  }),
  page({
    path: pathOf.blogs,
    source: 'src/features/site/blogs-page.tsx',
    load: async () => (await import('./blogs-page.tsx')).BlogsPage,
    words: 'blogs',
    title: 'title.blogs',
    description: 'blogs.description',
  }),
];
