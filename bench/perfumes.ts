/** Single items and deliveries are about so many items, from all over the warehouse. */
export const SAMPLE = 1_000;

const FIRST = [
  'Amber',
  'Rose',
  'Cedar',
  'Iris',
  'Saffron',
  'Neroli',
  'Vetiver',
  'Santal',
  'Jasmine',
  'Myrrh',
  'Fig',
  'Oud',
];
const SECOND = [
  'Ledger',
  'Lantern',
  'Harbour',
  'Orchard',
  'Ink',
  'Salt',
  'Smoke',
  'Velvet',
  'Paper',
  'Rain',
  'Ember',
  'Noon',
];
const HOUSES = [
  'Verrière',
  'Solène',
  'Mirandole',
  'Port & Fils',
  'Halden',
  'Nawras',
  'Quince & Daughters',
  'Atelier Nord',
];

/** The n-th perfume of an endless, repeatable catalogue. */
export function perfume(n: number) {
  const first = FIRST[n % FIRST.length];
  const second = SECOND[Math.floor(n / FIRST.length) % SECOND.length];
  return {
    name: `${first} ${second} No. ${n}`,
    price: (n % 400) + 20.5,
    quantity: '1000000',
    img: 'https://pictures.example/bottle.jpg',
    description: `${first} over ${second?.toLowerCase()}, bottled as batch ${n}, kept cool and counted by hand every evening.`,
    suplierName: HOUSES[n % HOUSES.length] ?? 'Verrière',
    email: `dealer${n % 97}@house.example`,
  };
}

/** A search text as people type it: part of a name. Each is different, so that no response is cached. */
export function searchWord(n: number, items = 100_000): string {
  return perfume((n * 7_919) % items)
    .name.toLowerCase()
    .slice(0, -1);
}

export function unknownWord(n: number): string {
  return `zxq${n}vwk`;
}
