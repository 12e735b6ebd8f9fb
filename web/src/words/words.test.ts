import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { type Area, loadArea, wordsOf } from './catalogues.ts';
import { languageNames, languages } from './languages.ts';
import { type Catalogue, format, type Message } from './message.ts';
import { speaking } from './words.tsx';

const areas = readdirSync(join(import.meta.dirname, 'en')).map((file) => file.replace('.ts', '') as Area);
const english: Catalogue = Object.assign(
  {},
  ...(await Promise.all(areas.map(async (area) => (await import(`./en/${area}.ts`)).words as Catalogue))),
);

describe.each(languageNames)('the catalogue %s', async (language) => {
  await Promise.all(areas.map((area) => loadArea(language, area)));
  const { locale } = languages[language];
  const message = (key: string): Message => wordsOf(language, key) ?? '';

  test('has a text for every key', () => {
    expect(Object.keys(english).filter((key) => textsOf(message(key)).some((text) => text.trim() === ''))).toEqual([]);
  });

  test('keeps the placeholders of every text', () => {
    const placeholders = (one: Message) =>
      [...new Set(textsOf(one).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
    // A plural form may leave out its number: "one item".
    const needed = (one: Message) => placeholders(one).filter((name) => typeof one === 'string' || name !== '{count}');
    const wrong = Object.entries(english).filter(([key, one]) => `${needed(message(key))}` !== `${needed(one)}`);
    expect(wrong.map(([key]) => key)).toEqual([]);
  });

  test('has every plural form of its language', () => {
    const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted();
    for (const [key, one] of Object.entries(english)) {
      if (typeof one === 'string') continue;
      const forms = message(key);
      expect([key, ...Object.keys(forms).toSorted()]).toEqual([key, ...categories]);
    }
  });
});

describe('the words of the spec', () => {
  const { say, money } = speaking('en');

  test.each([
    ['brand', 'Perfume Warehouse'],
    ['hero.getStarted', 'Get started'],
    ['hero.liveDemo', 'Live demo'],
    ['grid.heading', "Inventory Item's"],
    ['why.heading', 'Why You Should Use'],
    ['support.heading', 'Our Location & Support'],
    ['notFound.heading', 'Oops! Page not found.'],
    ['notFound.home', 'Home Page'],
    ['Loading...', 'Loading...'],
    ['loading.stay', "This may take a few seconds, please don't close this page."],
    ['In Stock', 'In Stock'],
    ['Stock Out', 'Stock Out'],
    ['Out of stock', 'Out of stock'],
    ['nav.login', 'Login'],
    ['nav.signup', 'Signup'],
    ['nav.manageInventory', 'Manage Inventory'],
    ['nav.addItem', 'Add Item'],
    ['nav.myItems', 'My Items'],
    ['account.user', 'User'],
    ['account.dashboardHome', 'Dashboard Home'],
    ['account.logout', 'Logout'],
    ['why.caption', 'Sample figures'],
    ['login.heading', 'Account Login'],
    ['login.remember', 'Remember me'],
    ['login.forgot', 'Forgot Password?'],
    ['login.submit', 'Log in'],
    ['login.getStarted', 'Get Started!'],
    ['register.heading', 'Signup'],
    ['register.submit', 'Signup'],
    ['forgot.empty', 'please enter your email address'],
    ['forgot.sent', 'We sent a Reset email'],
    ['gate.heading', 'Your Email is not verified!!'],
    ['gate.lead', 'Please Verify your email address'],
    ['gate.sent', 'We Sent a email'],
    ['gate.failed', 'maybe try many time or Something went wrong'],
    ['shell.title', 'Admin Pannel'],
    ['shell.homePage', 'Home Page'],
    ['sidebar.heading', 'Mange your warehouse'],
    ['sidebar.adminHome', 'Dashboad'],
    ['sidebar.myItems', 'My Items'],
    ['sidebar.manageInventory', 'Manage Inventory'],
    ['sidebar.updateInventory', 'Update Inventory'],
    ['sidebar.addItem', 'Add New Item'],
    ['sidebar.analytics', 'Analysetic'],
    ['sidebar.messages', 'Messages'],
    ['sidebar.settings', 'Settings'],
    ['sidebar.saved', 'Saved'],
    ['adminHome.profile', 'My Profile'],
    ['adminHome.sample', 'Sample figures'],
    ['adminHome.totalDealers', 'Total Dealers'],
    ['adminHome.totalDealers.note', '89% active'],
    ['adminHome.newDealers', 'New Dealers'],
    ['adminHome.week.note', '10% increased this week'],
    ['adminHome.month.note', '14% increased this month'],
    ['add.heading', 'Create New Item'],
    ['itemForm.productInfo', 'Product Info'],
    ['itemForm.productDescription', 'Product Description'],
    ['itemForm.dealerInfo', 'Dealer Info'],
    ['field.required', 'This field is required'],
    ['field.description_too_short', 'Minimum 50 chracter required'],
    ['add.done', 'You add a new item'],
    ['stock.product', 'Product Info'],
    ['stock.price', 'Price'],
    ['stock.dealer', 'Dealer Info'],
    ['stock.manage', 'Stock Manage'],
    ['Sold out', 'Sold out'],
    ['Sold Available', 'Sold Available'],
    ['Delivered', 'Delivered'],
    ['Sold Out', 'Sold Out'],
    ['stock.outOfStock.desktop', "Item's out of stock"],
    ['stock.outOfStock.phone', 'No Items In stock'],
    ['restock.label', 'Restock the items'],
    ['restock.placeholder', 'Enter imported stock number'],
    ['restock.submit', 'Update Stock'],
    ['restock.empty', 'Please input stock number'],
    ['restock.notPositive', 'Input a positive value'],
    ['delete.question', 'Are you sure? You want to delete!'],
    ['inventory.manage', 'Manage Inventory'],
    ['inventory.search', 'Search'],
    ['inventory.create', 'Create new Items'],
    ['inventory.mine', 'My Items'],
    ['inventory.product', 'Product'],
    ['inventory.dealer', 'Dealer Info'],
    ['inventory.stock', 'Abaility'],
    ['inventory.price', 'price'],
    ['inventory.update', 'Update'],
    ['inventory.currency', 'USD'],
    ['inventory.delete', 'Delete'],
  ] as const)('%s reads %s', (key, text) => {
    expect(say(key)).toBe(text);
  });

  test('a row shows the quantity and the price', () => {
    expect(say('inventory.available', { quantity: 42 })).toBe('Abailable: 42 in stock');
    expect(say('inventory.amount', { price: '148.00' })).toBe('$ 148.00');
  });

  test('a price has its $ sign and two decimals', () => {
    expect(money(14_800)).toBe('$148.00');
  });
});

describe('a text', () => {
  test('uses the plural forms and digits of its language', () => {
    const units = { zero: '0', one: '1', two: '2', few: 'few {count}', many: 'many {count}', other: 'other {count}' };
    expect(format(units, 'ar-u-nu-arab', { count: 2 })).toBe('2');
    expect(format(units, 'ar-u-nu-arab', { count: 5 })).toBe('few ٥');
    expect(format(units, 'ar-u-nu-arab', { count: 42 })).toBe('many ٤٢');
  });

  test('does not interpret the values it is given', () => {
    expect(format('for “{q}”', 'en-US', { q: '{count} <b>' })).toBe('for “{count} <b>”');
  });
});

describe('no component contains a literal text', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'),
  );

  test('the check finds the components', () => {
    expect(files.length).toBeGreaterThan(30);
  });

  test.each(files)('%s', (file) => {
    expect(literalsIn(readFileSync(join(folder, file), 'utf8'))).toEqual([]);
  });

  test.each([
    ['<p>Hello</p>', 'Hello'],
    ["<p>{'Hello'}</p>", 'Hello'],
    ['<p>{yes ? `Hello` : null}</p>', 'Hello'],
    ["<p>{name ?? 'Hello'}</p>", 'Hello'],
    ["<p>{yes && 'Hello'}</p>", 'Hello'],
    ['<img alt="Hello" />', 'Hello'],
    ['<button aria-label="Hello" />', 'Hello'],
    ["<input placeholder={yes ? 'Hello' : undefined} />", 'Hello'],
    ['<Field label="Hello" />', 'Hello'],
  ])('%s is found', (source, found) => {
    expect(literalsIn(`const a = ${source}`)).toEqual([found]);
  });

  test('allows codes, class names and symbols', () => {
    expect(literalsIn('const a = <a className="b" href="#c" rel="next">{say("nav.home")} · {"+"}</a>')).toEqual([]);
  });
});

function textsOf(message: Message): string[] {
  return typeof message === 'string' ? [message] : Object.values(message);
}

type Node = { type: string; [key: string]: unknown };

const TEXT_ATTRIBUTE =
  /^(?:aria-label|aria-description|aria-valuetext|placeholder|title|alt|label|text|heading|caption|hint)$/;
const LETTER = /\p{L}/u;

/**
 * Returns the literal texts that a person would see or hear: between tags, in braces between tags, and in attributes
 * that are shown or read aloud.
 */
function literalsIn(source: string): string[] {
  const found: string[] = [];
  const { program, errors } = parseSync('component.tsx', source, { lang: 'tsx' });
  if (errors.length > 0) throw new Error(errors[0]?.message);
  visit(program as unknown as Node);
  return found;

  function visit(node: Node): void {
    if (node.type === 'JSXText') keep(node.value);
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      for (const child of node.children as Node[])
        if (child.type === 'JSXExpressionContainer') collect(child.expression);
    }
    if (node.type === 'JSXAttribute' && TEXT_ATTRIBUTE.test(String((node.name as Node).name))) {
      const value = node.value as Node | null;
      collect(value?.type === 'JSXExpressionContainer' ? value.expression : value);
    }
    for (const value of Object.values(node)) for (const child of [value].flat()) if (isNode(child)) visit(child);
  }

  /** Collects the texts an expression can evaluate to, without following calls. */
  function collect(value: unknown): void {
    if (!isNode(value)) return;
    if (value.type === 'Literal') keep(value.value);
    if (value.type === 'TemplateLiteral')
      for (const part of value.quasis as { value: { cooked: string } }[]) keep(part.value.cooked);
    if (value.type === 'ConditionalExpression') [value.consequent, value.alternate].map(collect);
    if (value.operator === '&&') collect(value.right);
    if (value.operator === '+' || value.operator === '||' || value.operator === '??')
      [value.left, value.right].map(collect);
  }

  function keep(text: unknown): void {
    if (typeof text === 'string' && LETTER.test(text)) found.push(text);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}
