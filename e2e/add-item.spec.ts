import { writeFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import type { FileChooser, Locator, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, appearances, axeWidths, phoneOnly } from './form.ts';
import { scan } from './hand-scanner.ts';
import { logInAsDealer, openInSidebar } from './inventory-helpers.ts';
import { expectToFitAt } from './screens.ts';

const PAGE = '/dashboard/add-inventory-item';
const EMAIL = 'demo@perfume.example';
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 1024;

let count = 0;
/** Returns a unique name. All names begin with the same word, so that the items can be found and deleted later. */
const uniqueName = () => `Zibeline ${process.pid}-${Date.now()}-${++count}`;
const formValues = (name: string) => ({
  Name: name,
  Price: '96,5',
  Quantity: '7',
  Image: '/bottles/saffron-court.svg',
  Description: 'Warm amber, sea salt and a thread of smoke on linen, worn late.',
  'Supplier name': 'Atelier Solène',
});

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true });
const addButton = (page: Page) => page.getByRole('button', { name: 'Add Item', exact: true });
const preview = (page: Page) => page.locator('[inert] article');

async function open(page: Page): Promise<void> {
  await logInAsDealer(page.request);
  await page.goto(PAGE);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create New Item');
}

async function fillIn(page: Page, name: string): Promise<void> {
  for (const [label, text] of Object.entries(formValues(name))) await field(page, label).fill(text);
}

async function itemsNamed(page: Page, name: string): Promise<{ _id: string; img: string }[]> {
  return (await page.request.get(`/all-inventory-items?q=${encodeURIComponent(name)}`)).json();
}

// Deletes the items of the test, because other tests on the same server count items.
test.afterEach(async ({ page }) => {
  await logInAsDealer(page.request);
  for (const { _id } of await itemsNamed(page, 'Zibeline')) await page.request.delete(`/inventory-items/${_id}`);
});

const smallPicture = makePng(60, 80, (bytes) => bytes.fill(0x5a));
const UPLOAD_PATH = /^\/uploads\/[0-9a-f]{40}\.webp$/;

async function chooseFile(page: Page, file: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: /^Choose/ }).click(),
  ]);
  await chooser.setFiles(file);
}

/** Dispatches a paste or drop event that contains a file. */
async function dispatchFile(target: Locator, kind: 'paste' | 'drop', bytes: Buffer): Promise<void> {
  await target.evaluate(
    (element, { kind, base64 }) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      data.items.add(new File([content], 'image.png', { type: 'image/png' }));
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data }),
      );
    },
    { kind, base64: bytes.toString('base64') },
  );
}

const shown = (page: Page) => preview(page).locator('img');

// Playwright's trace requests blob URLs, which our Content-Security-Policy blocks. The page itself never requests them.
test.beforeEach(({ browserErrors }) => browserErrors.allow(/Connecting to 'blob:/));

test(
  'an item is added as in the spec, with its picture uploaded and its draft saved meanwhile',
  phoneOnly,
  async ({ page }) => {
    test.slow();
    const name = uniqueName();
    const img = field(page, 'Image');
    await open(page);

    await test.step('the form has the texts of the spec', async () => {
      await expect(page).toHaveTitle('Create New Item · Perfume Warehouse');
      const headings = page.getByRole('main').getByRole('heading', { level: 2 });
      await expect(headings).toHaveText(['Product Info', 'Product Description', 'Dealer Info']);
      const inputs = page.locator('form').getByRole('textbox').or(page.locator('form').getByRole('combobox'));
      const kinds = await inputs.evaluateAll((all) =>
        all.map(
          (one) => `${one.getAttribute('name')} ${one.getAttribute('inputmode') ?? (one as HTMLInputElement).type}`,
        ),
      );
      expect(kinds.toSorted()).toEqual([
        'description textarea',
        'email email',
        'img url',
        'name text',
        'price decimal',
        'quantity numeric',
        'suplierName text',
      ]);
      await expect(field(page, 'Email')).toHaveValue(EMAIL);
      const camera = page.getByRole('button', { name: 'Take a photo' });
      if (isPhone(page)) {
        await expect(camera).toBeVisible();
        await expect(page.locator('input[type=file][capture=environment]')).toHaveCount(1);
      } else await expect(camera).toBeHidden();
    });

    await test.step('the preview card shows the input', async () => {
      await fillIn(page, name);
      await expect(preview(page).getByText(name)).toBeVisible();
      await expect(preview(page).getByText('$96.50')).toBeVisible();
      await expect(preview(page).getByText('7 units')).toBeVisible();
      await expect(preview(page).getByText('In Stock')).toBeVisible();
      await expect(preview(page).getByText('Warm amber, sea salt and a thread of smoke on line…')).toBeVisible();
    });

    await test.step('a draft survives leaving the page; discarding it can be undone', async () => {
      await openInSidebar(page, '/dashboard/my-item');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Items');
      await openInSidebar(page, PAGE);
      await expect(field(page, 'Name')).toHaveValue(name);
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect(field(page, 'Name')).toHaveValue('');
      await expect(field(page, 'Email')).toHaveValue(EMAIL);
      await page.locator('#draftDiscarded').getByRole('button', { name: 'Undo' }).click();
      await expect(field(page, 'Name')).toHaveValue(name);
      await page.reload();
      await expect(page.getByText('Draft restored')).toBeVisible();
      for (const [label, text] of Object.entries(formValues(name))) await expect(field(page, label)).toHaveValue(text);
    });

    await test.step('a picture can be chosen, pasted and dropped, shows on the card, and can be removed', async () => {
      await chooseFile(page, { name: 'bottle.png', mimeType: 'image/png', buffer: smallPicture });
      await expect(img).toHaveValue(UPLOAD_PATH);
      await expect(page.getByText('Uploaded: 60 × 80 pixels.')).toBeVisible();
      await expect(shown(page)).toHaveAttribute('src', UPLOAD_PATH);
      await expect.poll(() => shown(page).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(60);

      await dispatchFile(
        field(page, 'Name'),
        'paste',
        makePng(70, 80, (bytes) => bytes.fill(0x80)),
      );
      await expect(page.getByText('Uploaded: 70 × 80 pixels.')).toBeVisible();
      await dispatchFile(
        img,
        'drop',
        makePng(90, 80, (bytes) => bytes.fill(0xa0)),
      );
      await expect(page.getByText('Uploaded: 90 × 80 pixels.')).toBeVisible();
      await page.getByRole('button', { name: 'Remove' }).click();
      await expect(img).toHaveValue('');
      await expect(img).toBeFocused();
    });

    let letThrough = () => {};
    const wanted = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/uploads', async (route) => {
      await wanted;
      await route.continue().catch(() => {});
    });

    await test.step('an upload shows its progress and can be cancelled', async () => {
      await chooseFile(page, { name: 'bottle.png', mimeType: 'image/png', buffer: smallPicture });
      await expect(page.getByRole('progressbar', { name: /the image$/ })).toBeVisible();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('progressbar')).toBeHidden();
      await expect(page.getByRole('button', { name: 'Choose an image' })).toBeFocused();
      await expect(img).toHaveValue('');
    });

    await test.step('the item can be added while its picture is still uploading', async () => {
      await chooseFile(page, { name: 'bottle.png', mimeType: 'image/png', buffer: smallPicture });
      await expect(page.getByRole('progressbar', { name: /the image$/ })).toBeVisible();
      const sent = page.waitForRequest((request) => request.url().endsWith('/new-inventory-item'));
      await addButton(page).click();
      await expect(addButton(page)).toHaveAttribute('aria-busy', 'true');
      letThrough();
      expect((await sent).postDataJSON()).toEqual({
        name,
        price: 96.5,
        quantity: '7',
        img: expect.stringMatching(UPLOAD_PATH),
        description: formValues('').Description,
        suplierName: 'Atelier Solène',
        email: EMAIL,
      });
      await expect(page.locator('#addItem')).toHaveText('You add a new item');
      for (const label of Object.keys(formValues(''))) await expect(field(page, label)).toHaveValue('');
      await expect(field(page, 'Email')).toHaveValue(EMAIL);
      await expect(field(page, 'Name')).toBeFocused();
      await expect(page.locator('[aria-invalid]')).toHaveCount(0);
      await expect(page.getByText(/^Uploaded/)).toBeHidden();
      const [item] = await itemsNamed(page, name);
      expect(item?.img).toMatch(UPLOAD_PATH);
      await expect(page.getByRole('link', { name: 'Open item' })).toHaveAttribute(
        'href',
        `/dashboard/inventory/${item?._id}`,
      );
    });

    await test.step('the draft is empty afterwards, and the item is first on the home page', async () => {
      await openInSidebar(page, '/dashboard/my-item');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Items');
      await openInSidebar(page, PAGE);
      await expect(addButton(page)).toBeVisible();
      await expect(page.getByText('Draft restored')).toBeHidden();
      await expect(field(page, 'Name')).toHaveValue('');
      await page.goto('/');
      const card = page.getByRole('article').first();
      await expect(card.getByRole('heading')).toHaveText(name);
      await expect(card.getByText('$96.50')).toBeVisible();
    });
  },
);

test(
  'every field says what is wrong with it, and nothing wrong is sent',
  anyScreen,
  async ({ page, browserErrors }, info) => {
    test.slow();
    browserErrors.allow(/422|failed request|ERR_FAILED|415/);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
    await open(page);

    await test.step('49 characters are too few and 50 are enough, counted as people count', async () => {
      const description = field(page, 'Description');
      await description.fill('🌹'.repeat(49));
      await expect(description).not.toHaveAttribute('aria-invalid');
      await expect(description).toHaveAccessibleDescription('1 more character needed');
      await description.blur();
      await expect(description).toHaveAccessibleDescription('Minimum 50 chracter required 1 more character needed');
      await description.press('End');
      await description.pressSequentially(' ');
      await expect(description).toHaveAttribute('aria-invalid', 'true');
      await description.pressSequentially('🌹');
      await expect(description).not.toHaveAttribute('aria-invalid');
      await expect(description).toHaveAccessibleDescription('51 characters');
    });

    await test.step('a number field accepts a comma or a point and says how it reads the input', async () => {
      const price = field(page, 'Price');
      const quantity = field(page, 'Quantity');
      const wrongPrice = 'Enter a price from 0 to 10,000,000 with at most two decimals';
      await expect(price).toHaveAccessibleDescription('Dollars and cents, for example 58.50');
      await price.pressSequentially('58,50');
      await price.blur();
      await expect(price).toHaveValue('58,50');
      await expect(price).toHaveAccessibleDescription('Will be saved as $58.50');
      await expect(preview(page).getByText('$58.50')).toBeVisible();
      for (const text of ['e', '-1', '10000000,01']) {
        await price.fill(text);
        await expect(price).toHaveAccessibleDescription(wrongPrice);
      }
      await price.fill('1,234');
      await expect(price).toHaveAccessibleDescription(/^This could mean two different prices/);
      await price.fill('٥٨٫٥٠');
      await expect(price).toHaveAccessibleDescription('Will be saved as $58.50');
      await quantity.fill('1.5');
      await quantity.blur();
      await expect(quantity).toHaveAccessibleDescription('Enter a whole number from 0 to 1,000,000,000');
    });

    await test.step('missing fields say so, and the first gets the focus', async () => {
      for (const label of ['Description', 'Price', 'Quantity', 'Email']) await field(page, label).fill('');
      await addButton(page).click();
      for (const label of ['Name', 'Price', 'Quantity', 'Image', 'Supplier name', 'Email'])
        await expect(field(page, label)).toHaveAccessibleDescription(/^This field is required/);
      await expect(field(page, 'Description')).toHaveAccessibleDescription(/^Minimum 50 chracter required/);
      await expect(field(page, 'Name')).toBeFocused();
      await fillIn(page, 'Iris');
      await expect(page.locator('[aria-invalid]')).toHaveCount(1);
      await addButton(page).click();
      await expect(field(page, 'Email')).toBeFocused();
      await field(page, 'Email').fill('somebody');
      await expect(field(page, 'Email')).toHaveAccessibleDescription('Enter a valid email address');
      expect(sent).not.toContain('/new-inventory-item');
      await field(page, 'Email').fill(EMAIL);
    });

    await test.step('a server error of a field is shown beside it until the field is changed', async () => {
      await fillIn(page, 'Iris');
      await page.route('**/new-inventory-item', (route) =>
        route.fulfill({
          status: 422,
          contentType: 'application/problem+json',
          json: {
            code: 'invalid_input',
            fields: { suplierName: 'Shorter, please', quantity: 'No more today' },
            fieldCodes: { suplierName: 'too_long', quantity: 'not_today' },
          },
        }),
      );
      await addButton(page).click();
      await expect(page.locator('#addItemFailed')).toHaveText('Some fields are not valid. Correct them and try again.');
      await expect(field(page, 'Supplier name')).toHaveAccessibleDescription('Use at most 200 characters');
      await expect(field(page, 'Quantity')).toHaveAccessibleDescription('No more today');
      await expect(field(page, 'Quantity')).toBeFocused();
      await expect(field(page, 'Name')).toHaveValue('Iris');
      await field(page, 'Quantity').fill('8');
      await expect(field(page, 'Quantity')).not.toHaveAttribute('aria-invalid');
      await expect(field(page, 'Supplier name')).toHaveAttribute('aria-invalid', 'true');
      await page.unroute('**/new-inventory-item');
    });

    await test.step('an invalid picture is refused with a reason, and the input stays', async () => {
      const img = field(page, 'Image');
      const alert = page.getByRole('main').getByRole('alert').filter({ hasText: /image/ });
      await chooseFile(page, {
        name: 'bottle.png',
        mimeType: 'image/png',
        buffer: Buffer.from('<svg onload="alert(1)"/>'),
      });
      await expect(alert).toHaveText('This file is not an image we can use. Choose a JPEG, PNG or WebP.');
      expect(sent).not.toContain('/uploads');
      // Only the server can detect that this picture is incomplete.
      await chooseFile(page, {
        name: 'half.png',
        mimeType: 'image/png',
        buffer: smallPicture.subarray(0, smallPicture.length - 20),
      });
      await expect.poll(() => sent).toContain('/uploads');
      await expect(alert).toHaveText('This file is not an image we can use. Choose a JPEG, PNG or WebP.');
      await expect(img).toHaveValue('/bottles/saffron-court.svg');

      await page.route('**/uploads', (route) => route.abort());
      await chooseFile(page, { name: 'bottle.png', mimeType: 'image/png', buffer: smallPicture });
      await expect(alert).toContainText('The image was not uploaded: no connection. Try again.');
      await page.unroute('**/uploads');
      await alert.getByRole('button', { name: 'Try again' }).click();
      await expect(img).toHaveValue(UPLOAD_PATH);
      await expect(alert).toBeHidden();
    });

    await test.step('a picture that is too large is resized before the upload', async () => {
      const photograph = makePng(2_000, 1_800, (bytes) => bytes.fill(0x5a));
      expect(photograph.length).toBeGreaterThan(10 * 1024 * 1024);
      // Only waits for the request: if it were intercepted, the browser would not report its length.
      const upload = page.waitForRequest('**/uploads');
      await writeFile(info.outputPath('photo.png'), photograph);
      await chooseFile(page, info.outputPath('photo.png'));
      await expect(page.getByText('Uploaded: 1,600 × 1,440 pixels.')).toBeVisible();
      expect(Number((await (await upload).allHeaders())['content-length'])).toBeLessThan(100_000);
    });
  },
);

test(
  'an item is saved once despite double clicks and lost responses; a duplicate name asks first',
  anyScreen,
  async ({ page, browserErrors }) => {
    test.slow();
    browserErrors.allow(/failed request|ERR_FAILED/);
    const name = uniqueName();
    await open(page);

    await test.step('an item whose response is lost waits on the device, also after a reload, and is added once', async () => {
      await fillIn(page, name);
      // The server receives each request; the responses never arrive.
      await page.route('**/new-inventory-item', async (route) => {
        await route.fetch();
        // The route may have been removed meanwhile.
        await route.abort().catch(() => {});
      });
      await addButton(page).click();
      await expect(addButton(page)).toHaveAttribute('aria-busy', 'true');
      const pending = page.getByRole('button', { name: /1 pending/ });
      await expect(pending).toBeVisible();
      await expect(page.locator('#addItem')).toHaveCount(0);
      await expect(field(page, 'Name')).toHaveValue('');

      await page.reload();
      await expect(pending).toBeVisible();
      await page.unroute('**/new-inventory-item');
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await expect(pending).toBeHidden();
      await expect.poll(() => itemsNamed(page, name)).toMatchObject([{ img: formValues(name).Image }]);
    });

    await test.step('a double click saves one item', async () => {
      const other = uniqueName();
      await fillIn(page, other);
      await addButton(page).dblclick();
      await expect(page.locator('#addItem')).toHaveText('You add a new item');
      await expect(page.locator('[aria-invalid]')).toHaveCount(0);
      await expect.poll(() => itemsNamed(page, other)).toHaveLength(1);
    });

    await test.step('an item with the same name and supplier asks first', async () => {
      const again = name.toUpperCase();
      await fillIn(page, again);
      await field(page, 'Supplier name').fill('ateli');
      const offered = page.locator('datalist option');
      await expect(offered.and(page.locator('[value="Atelier Solène"]'))).toHaveCount(1);
      await field(page, 'Supplier name').fill('atelier solène');
      await field(page, 'Description').press('Control+Enter');
      const question = page.getByRole('alertdialog', { name: 'This item already exists' });
      await expect(question).toContainText(`An item “${name}” from Atelier Solène already exists. Add another?`);
      const [item] = await itemsNamed(page, name);
      await expect(question.getByRole('link', { name: 'Open the existing item' })).toHaveAttribute(
        'href',
        `/dashboard/inventory/${item?._id}`,
      );
      await page.keyboard.press('Escape');
      await expect(question).toBeHidden();
      await expect(field(page, 'Name')).toHaveValue(again);
      await expect(field(page, 'Description')).toBeFocused();
      await expect.poll(() => itemsNamed(page, name)).toHaveLength(1);
      await page.keyboard.press('Control+Enter');
      await question.getByRole('button', { name: 'Add another' }).press('Enter');
      await expect(field(page, 'Name')).toHaveValue('');
      await expect.poll(() => itemsNamed(page, name)).toHaveLength(2);
    });

    await test.step('a double click adds one item', async () => {
      const other = uniqueName();
      await fillIn(page, other);
      await addButton(page).dblclick();
      await expect(field(page, 'Name')).toHaveValue('');
      await expect.poll(() => itemsNamed(page, other)).toHaveLength(1);
      await expect(page.locator('[aria-invalid]')).toHaveCount(0);
    });
  },
);

test(
  'codes come from the address, a scanner, the keyboard and the clipboard',
  anyScreen,
  async ({ page, browserErrors }) => {
    browserErrors.allow(/409|failed request/);
    const number = `${process.pid}${Date.now()}`;
    const code = (one: number) => `Z-${number}-${one}`;
    const name = uniqueName();
    const listed = page.getByRole('list', { name: 'Barcodes' }).getByRole('listitem');
    const barcodes = page.getByRole('textbox', { name: 'Barcodes' });

    await test.step('an item is added with all of them, what is still being typed included', async () => {
      await logInAsDealer(page.request);
      await page.goto(`${PAGE}?code=${code(1)}`);
      await expect(listed).toHaveText([code(1)]);
      await field(page, 'Name').click();
      await scan(page, code(2));
      await expect(listed).toHaveText([code(1), code(2)]);
      await expect(field(page, 'Name')).toHaveValue('');
      await barcodes.fill('4006381333930');
      await barcodes.press('Enter');
      await expect(barcodes).toHaveAccessibleDescription(/^The last digit of 4006381333930 should be 1/);
      await barcodes.fill(code(3));
      await barcodes.press('Enter');
      await expect(barcodes).toHaveValue('');
      await barcodes.evaluate(
        (input, text) => {
          const data = new DataTransfer();
          data.setData('text', text);
          input.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
        },
        `${code(4)}\n${code(1)}\n${code(5)}`,
      );
      await page.getByRole('button', { name: `Remove ${code(2)}` }).click();
      await field(page, 'SKU').fill(`zib ${number}`);
      await barcodes.fill(code(6));
      await fillIn(page, name);
      await addButton(page).click();
      await page.getByRole('link', { name: 'Open item' }).click();
      for (const text of [`zib ${number}`, ...[1, 3, 4, 5, 6].map(code)])
        await expect(page.getByText(text)).toBeVisible();
      await page.getByRole('button', { name: `Copy ${code(1)}` }).click();
      await expect(page.getByRole('button', { name: `${code(1)} was copied` })).toBeFocused();
    });

    await test.step('another item cannot take one, until the first gives it up', async () => {
      await page.goto(`${PAGE}?code=ZIB${number}`);
      await expect(listed).toHaveText([`ZIB${number}`]);
      await fillIn(page, uniqueName());
      await addButton(page).click();
      await expect(barcodes).toBeFocused();
      await expect(barcodes).toHaveAccessibleDescription(new RegExp(`“${name}” already has the code ZIB${number}`));
      const [item] = await itemsNamed(page, name);
      await page.request.post(`/inventory-items/${item?._id}/edit`, { data: { changes: { sku: null } } });
      await addButton(page).click();
      await expect(page.locator('#addItem')).toHaveText('You add a new item');
      await expect(listed).toHaveCount(0);
      expect(new URL(page.url()).search).toBe('');
    });

    await test.step('an edit removes one', async () => {
      const [item] = await itemsNamed(page, name);
      await page.goto(`/dashboard/inventory/${item?._id}/edit`);
      await page.getByRole('button', { name: `Remove ${code(1)}` }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText(code(3)).first()).toBeVisible();
      await expect.poll(async () => (await page.request.get(`/codes/${code(1)}`)).status()).toBe(404);
    });
  },
);

for (const [language, colorScheme] of appearances)
  test(
    `axe finds nothing and nothing sticks out at any width: ${colorScheme}, ${language}`,
    anyScreen,
    async ({ page, context, baseURL }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
      await logInAsDealer(page.request);
      await page.goto(`${PAGE}?code=${'x'.repeat(80)}`);
      const price = page.locator('[name=price]');
      await price.fill('1.005');
      // Leaves the page and comes back: the draft still has the price.
      await openInSidebar(page, '/dashboard/my-item');
      await expect(price).toHaveCount(0);
      await openInSidebar(page, PAGE);
      await expect(price).toHaveValue('1.005');
      await page.locator('button[type=submit]').click();
      await expect(page.locator('[aria-invalid]')).toHaveCount(6);
      for (const width of [1366, 700, 390, 320]) {
        await expectToFitAt(page, width);
        if (axeWidths(colorScheme).includes(width)) expect(await axeViolations(page)).toEqual([]);
      }
    },
  );

/** Returns a valid, uncompressed PNG; `paint` fills in one row of pixels at a time. */
function makePng(width: number, height: number, paint: (bytes: Buffer) => void): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rows = Array.from({ length: height }, () => {
    const row = Buffer.alloc(1 + width * 3);
    paint(row.subarray(1));
    return row;
  });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(Buffer.concat(rows), { level: 0 })),
    chunkOf('IEND', Buffer.alloc(0)),
  ]);
}

function chunkOf(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
