import type { PublicWireItem } from '@perfume/contract/items';
import { jsonForHtml } from './html.ts';

const SITE = 'Perfume Warehouse';

const pages: Record<string, { title: string; description: string }> = {
  '/': {
    title: 'Perfume Warehouse: the stock ledger of perfume dealers',
    description:
      'Every bottle counted, every movement kept. The stock ledger for perfume dealers and suppliers that two people can use at once and nobody can break.',
  },
  '/about': {
    title: `About · ${SITE}`,
    description: 'What Perfume Warehouse is, for whom, how stock stays exact and how data is kept.',
  },
  '/blogs': {
    title: `Blogs · ${SITE}`,
    description: 'JavaScript and Node, SQL and NoSQL, and what a JWT is for: three questions answered.',
  },
  '/login': { title: `Account Login · ${SITE}`, description: 'Sign in to manage your perfume stock.' },
  '/register': { title: `Signup · ${SITE}`, description: 'Open an account and start your stock ledger.' },
};

/** What search engines and link previews read. Pages behind the sign-in have nothing for them. */
export function headOf(path: string, known: boolean, address: string, items: PublicWireItem[]): string {
  const page = pages[path];
  if (!page || !known) return `<title>${SITE}</title><meta name="robots" content="noindex">`;
  const url = `${address}${path}`;
  const tags = [
    `<title>${escapeHtml(page.title)}</title>`,
    meta('name', 'description', page.description),
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', SITE),
    meta('property', 'og:title', page.title),
    meta('property', 'og:description', page.description),
    meta('property', 'og:url', url),
    meta('property', 'og:image', `${address}/og.png`),
    meta('name', 'twitter:card', 'summary_large_image'),
  ];
  if (items.length > 0)
    tags.push(`<script type="application/ld+json">${jsonForHtml(listing(address, items))}</script>`);
  return tags.join('');
}

function listing(address: string, items: PublicWireItem[]) {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: items.map((item, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: {
        '@type': 'Product',
        name: item.name,
        description: item.description,
        image: item.img.startsWith('/') ? address + item.img : item.img,
        brand: { '@type': 'Brand', name: item.suplierName },
        offers: {
          '@type': 'Offer',
          price: item.price.toFixed(2),
          priceCurrency: 'USD',
          availability: `https://schema.org/${item.quantity === '0' ? 'OutOfStock' : 'InStock'}`,
        },
      },
    })),
  };
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
