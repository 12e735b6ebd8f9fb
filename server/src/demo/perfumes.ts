// The demo's items, newest first. Houses and perfumes are invented; the picture of each is /bottles/<slug>.svg.

export type DemoPerfume = {
  slug: string;
  name: string;
  supplierName: string;
  /** The initials of the house and the number of the perfume. */
  sku: string;
  email: string;
  priceCents: number;
  description: string;
  /** Whether the demo dealer owns the item. */
  own: boolean;
  /** Units on hand today. */
  onHand: number;
  /** How many weeks ago the item was created. */
  weeks: number;
  /** Units on hand at the start of the first week. */
  opening: number;
  /** Units delivered in each week. */
  deliveredPerWeek: number;
  /** The item is restocked every n weeks, but not in its first week; 0 means never. */
  restockEveryWeeks: number;
  restockUnits: number;
};

const DEMO_DEALER = 'demo@perfume.example';

const VERRIERE = { supplierName: 'Maison Verrière', email: 'orders@maison-verriere.example' };
const SOLENE = { supplierName: 'Atelier Solène', email: 'hello@atelier-solene.example' };
const MIRANDOLE = { supplierName: 'Jardin Mirandole', email: 'depot@jardin-mirandole.example' };
const PORT = { supplierName: 'Port & Fils', email: 'quay@port-et-fils.example' };
const HALDEN = { supplierName: 'Halden & Rook', email: 'stores@halden-rook.example' };
const NAWRAS = { supplierName: 'Dar Nawras', email: 'majlis@dar-nawras.example' };

const shelf: readonly Omit<DemoPerfume, 'opening' | 'sku'>[] = [
  {
    slug: 'nuit-d-encre',
    name: "Nuit d'Encre",
    ...VERRIERE,
    own: true,
    priceCents: 14800,
    description:
      'Deep iris over wet ink and cedar, quiet as a library after closing. Black tea and blotting paper at first; by midnight, a little warm suede.',
    onHand: 42,
    weeks: 4,
    deliveredPerWeek: 11,
    restockEveryWeeks: 2,
    restockUnits: 24,
  },
  {
    slug: 'ambre-gris-no-7',
    name: 'Ambre Gris No. 7',
    ...SOLENE,
    own: true,
    priceCents: 9650,
    description:
      'Warm amber, sea salt and a thread of smoke on linen. The seventh trial was the one nobody in the workshop could stop wearing, so we stopped there.',
    onHand: 7,
    weeks: 4,
    deliveredPerWeek: 8,
    restockEveryWeeks: 0,
    restockUnits: 0,
  },
  {
    slug: 'rose-chartreuse',
    name: 'Rose Chartreuse',
    ...MIRANDOLE,
    own: true,
    priceCents: 7200,
    description:
      'A green rose, cut with stem and thorn, still cold from the bucket. Galbanum and crushed angelica keep it upright; honey waits underneath.',
    onHand: 0,
    weeks: 4,
    deliveredPerWeek: 9,
    restockEveryWeeks: 0,
    restockUnits: 0,
  },
  {
    slug: 'vetiver-cotier',
    name: 'Vetiver Côtier',
    ...PORT,
    own: false,
    priceCents: 5800,
    description:
      'Roots, rain and the tar of old boats, dried by noon. Grapefruit pith on top, driftwood below, and wind all the way through.',
    onHand: 310,
    weeks: 4,
    deliveredPerWeek: 26,
    restockEveryWeeks: 2,
    restockUnits: 60,
  },
  {
    slug: 'majlis-blue',
    name: 'Majlis Blue',
    ...NAWRAS,
    own: false,
    priceCents: 28500,
    description:
      'Cardamom coffee poured from a height, then blue smoke rising past the cushions. Myrrh, dried lime and a rosewater hand, late into the evening.',
    onHand: 24,
    weeks: 5,
    deliveredPerWeek: 4,
    restockEveryWeeks: 0,
    restockUnits: 0,
  },
  {
    slug: 'mimosa-poudrier',
    name: 'Mimosa Poudrier',
    ...MIRANDOLE,
    own: true,
    priceCents: 6450,
    description:
      'Yellow pollen on a dressing table in February. Mimosa, almond skin and face powder, puffed from a silk bulb as a grandmother would have it.',
    onHand: 116,
    weeks: 5,
    deliveredPerWeek: 14,
    restockEveryWeeks: 2,
    restockUnits: 30,
  },
  {
    slug: 'oud-clair',
    name: 'Oud Clair',
    ...VERRIERE,
    own: false,
    priceCents: 21000,
    description:
      'Clear oud without the shouting: honey, leather, old paper. Cut like a decanter and as slow to empty; one touch at the collar lasts past dinner.',
    onHand: 12,
    weeks: 5,
    deliveredPerWeek: 3,
    restockEveryWeeks: 3,
    restockUnits: 6,
  },
  {
    slug: 'fleur-des-salines',
    name: 'Fleur des Salines',
    ...SOLENE,
    own: true,
    priceCents: 6400,
    description:
      'Mineral white flowers with a grain of salt on the skin. Sea lavender, wet limestone and the bright crust raked from the pans at first light.',
    onHand: 88,
    weeks: 5,
    deliveredPerWeek: 17,
    restockEveryWeeks: 2,
    restockUnits: 36,
  },
  {
    slug: 'santal-doux',
    name: 'Santal Doux',
    ...MIRANDOLE,
    own: false,
    priceCents: 8100,
    description:
      'Milk, sandalwood shavings and one cold coin. It begins like a carpenter’s apron and ends like the warm side of the pillow.',
    onHand: 133,
    weeks: 5,
    deliveredPerWeek: 12,
    restockEveryWeeks: 4,
    restockUnits: 48,
  },
  {
    slug: 'iris-de-craie',
    name: 'Iris de Craie',
    ...VERRIERE,
    own: false,
    priceCents: 11900,
    description:
      'Powder, violet leaf, chalk: a clean shirt remembered. Orris aged five years in the dark, then opened beside a window in the morning.',
    onHand: 4,
    weeks: 6,
    deliveredPerWeek: 5,
    restockEveryWeeks: 3,
    restockUnits: 10,
  },
  {
    slug: 'burnt-quince',
    name: 'Burnt Quince',
    ...HALDEN,
    own: false,
    priceCents: 9225,
    description:
      'Quinces left too long in the oven, on purpose. Caramel at the edges, sharp at the core, with bay leaf, brown butter and a blackened copper pan.',
    onHand: 57,
    weeks: 6,
    deliveredPerWeek: 7,
    restockEveryWeeks: 3,
    restockUnits: 20,
  },
  {
    slug: 'jasmine-lantern',
    name: 'Jasmine Lantern',
    ...NAWRAS,
    own: true,
    priceCents: 13400,
    description:
      'Night-picked jasmine hung by an open door, its stems still green. Beeswax, apricot and the warm metal of a lamp just blown out.',
    onHand: 31,
    weeks: 6,
    deliveredPerWeek: 6,
    restockEveryWeeks: 2,
    restockUnits: 12,
  },
  {
    slug: 'pivoine-seize',
    name: 'Pivoine Seize',
    ...SOLENE,
    own: false,
    priceCents: 5250,
    description:
      'Sixteen peonies in a glass too small for them. Pink pepper, cold water, a bruised petal or two; light enough to wear to breakfast.',
    onHand: 204,
    weeks: 6,
    deliveredPerWeek: 22,
    restockEveryWeeks: 2,
    restockUnits: 48,
  },
  {
    slug: 'embrun-noir',
    name: 'Embrun Noir',
    ...PORT,
    own: true,
    priceCents: 7650,
    description:
      'Storm spray against a black hull, two hours from land. Seaweed, iron and rum-soaked oak, bottled like the captain’s decanter, broad enough not to tip.',
    onHand: 2,
    weeks: 6,
    deliveredPerWeek: 7,
    restockEveryWeeks: 0,
    restockUnits: 0,
  },
  {
    slug: 'cuir-de-reliure',
    name: 'Cuir de Reliure',
    ...VERRIERE,
    own: false,
    priceCents: 18600,
    description:
      'Calfskin, bone glue and gold leaf from a binder’s bench. A leather that has read a great deal: saffron at the spine, plum wood in the boards.',
    onHand: 19,
    weeks: 7,
    deliveredPerWeek: 3,
    restockEveryWeeks: 3,
    restockUnits: 8,
  },
  {
    slug: 'juniper-ledger',
    name: 'Juniper Ledger',
    ...HALDEN,
    own: false,
    priceCents: 4800,
    description:
      'Juniper berries counted out on cold marble. Gin-clear at first, then pencil cedar and the cloth spine of an account book that balances.',
    onHand: 428,
    weeks: 7,
    deliveredPerWeek: 31,
    restockEveryWeeks: 2,
    restockUnits: 72,
  },
  {
    slug: 'saffron-court',
    name: 'Saffron Court',
    ...NAWRAS,
    own: false,
    priceCents: 24250,
    description:
      'Red threads steeping in a courtyard at four o’clock. Saffron, orange peel and sun-hot plaster, with rose jam on the spoon and leather in the shade.',
    onHand: 0,
    weeks: 7,
    deliveredPerWeek: 4,
    restockEveryWeeks: 4,
    restockUnits: 8,
  },
  {
    slug: 'midi-sourd',
    name: 'Midi Sourd',
    ...SOLENE,
    own: false,
    priceCents: 6900,
    description:
      'Noon with the shutters closed and the bees outside. Apricot, hot pine and tiled floor; the sweetness of having nothing to do until five.',
    onHand: 75,
    weeks: 7,
    deliveredPerWeek: 10,
    restockEveryWeeks: 3,
    restockUnits: 24,
  },
  {
    slug: 'neroli-goudron',
    name: 'Néroli Goudron',
    ...PORT,
    own: false,
    priceCents: 8875,
    description:
      'Orange blossom rolled down a quay in a tarred barrel. White petals, birch smoke, rope: half bride, half shipwright, and a happy marriage.',
    onHand: 9,
    weeks: 8,
    deliveredPerWeek: 6,
    restockEveryWeeks: 4,
    restockUnits: 18,
  },
  {
    slug: 'luban-at-dawn',
    name: 'Luban at Dawn',
    ...NAWRAS,
    own: false,
    priceCents: 42000,
    description:
      'Pale frankincense tears on the first coal of the day. Lemon rind, cool stone and milk; forty days of resin for each amphora, sealed by hand.',
    onHand: 18,
    weeks: 8,
    deliveredPerWeek: 2,
    restockEveryWeeks: 4,
    restockUnits: 6,
  },
  {
    slug: 'slate-after-rain',
    name: 'Slate After Rain',
    ...HALDEN,
    own: true,
    priceCents: 3950,
    description:
      'The roof, ten minutes after the storm has moved on. Wet stone, ivy and clean iron gutters, with a blue edge of mint where the sky comes back.',
    onHand: 162,
    weeks: 8,
    deliveredPerWeek: 15,
    restockEveryWeeks: 2,
    restockUnits: 30,
  },
  {
    slug: 'cargaison-de-the',
    name: 'Cargaison de Thé',
    ...PORT,
    own: false,
    priceCents: 5500,
    description:
      'Tea chests opened after ninety days at sea. Bergamot, smoked leaf and sweet plywood, and the copper scales still swinging.',
    onHand: 266,
    weeks: 8,
    deliveredPerWeek: 19,
    restockEveryWeeks: 3,
    restockUnits: 54,
  },
  {
    slug: 'figuier-du-nord',
    name: 'Figuier du Nord',
    ...MIRANDOLE,
    own: false,
    priceCents: 7780,
    description:
      'One fig tree against a north wall, stubborn and green. Torn leaf, sap like coconut milk, and fruit that never quite ripens; that is its charm.',
    onHand: 0,
    weeks: 9,
    deliveredPerWeek: 5,
    restockEveryWeeks: 3,
    restockUnits: 12,
  },
  {
    slug: 'myrtle-and-peat',
    name: 'Myrtle & Peat',
    ...HALDEN,
    own: false,
    priceCents: 2800,
    description:
      'Bog myrtle underfoot and a peat fire two fields away. Bitter, resinous, oddly kind: corked and tied by hand, in small batches.',
    onHand: 6,
    weeks: 9,
    deliveredPerWeek: 8,
    restockEveryWeeks: 3,
    restockUnits: 20,
  },
];

export const perfumes: readonly DemoPerfume[] = shelf.map((perfume, index) => ({
  ...perfume,
  sku: `${perfume.supplierName.replace(/[^A-Z]/g, '')}-${101 + index}`,
  email: perfume.own ? DEMO_DEALER : perfume.email,
  opening: openingOf(perfume),
}));

// The opening stock is computed backwards, so that the movements end at the quantity on hand.
function openingOf({
  onHand,
  weeks,
  deliveredPerWeek,
  restockEveryWeeks,
  restockUnits,
}: Omit<DemoPerfume, 'opening' | 'sku'>) {
  const restocks = restockEveryWeeks === 0 ? 0 : Math.floor((weeks - 1) / restockEveryWeeks);
  return onHand + weeks * deliveredPerWeek - restocks * restockUnits;
}
