import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen } from './form.ts';

test.use({ shop: 'houses', settings: { ACCESS: 'houses' } });

test(
  'visitors find a published house from its items, and not any more when it is unpublished',
  anyScreen,
  async ({ page, browserErrors }) => {
    const post = async (path: string, data: object) => (await page.request.post(path, { data })).json();
    await post('/api/auth/sign-in/email', { email: 'demo@perfume.example', password: 'perfume-demo-1' });
    const house = await post('/houses', { name: 'Atelier Grasse' });
    for (const name of ['Rose de Minuit', 'Vétiver de Minuit'])
      await post('/new-inventory-item', {
        name,
        price: 148,
        quantity: 42,
        img: '/bottles/nuit-d-encre.svg',
        description: 'A deep iris over wet ink and cedar, quiet as a late library.',
        suplierName: 'Verrière',
        email: 'demo@perfume.example',
      });
    const publish = (published: boolean) => page.request.put(`/houses/${house.id}`, { data: { published } });
    await publish(true);

    await page.goto('/');
    const card = page.getByRole('article').filter({ hasText: 'Rose de Minuit' });
    await expect(card.getByRole('link')).toHaveText(['Atelier Grasse']);
    await card.getByRole('link').click();
    await expect(page).toHaveURL('/houses/atelier-grasse');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Atelier Grasse');
    await expect(page).toHaveTitle('Atelier Grasse · Perfume Warehouse');
    await expect(page.getByRole('article')).toHaveCount(2);

    // The same page from the server, before any script has run.
    const html = await (await page.request.get('/houses/atelier-grasse')).text();
    for (const text of ['<title>Atelier Grasse · Perfume Warehouse</title>', '<h1>', 'Vétiver de Minuit'])
      expect(html).toContain(text);
    await page.reload();
    await page.getByRole('searchbox', { name: 'Search the items' }).fill('rose');
    await expect(page.getByRole('article')).toHaveCount(1);
    await expect(page).toHaveURL('/houses/atelier-grasse?q=rose');
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Home' }).first().click();
    await expect(page.getByRole('heading', { name: 'Atelier Grasse' })).toBeHidden();
    await expect(card).toBeVisible();

    browserErrors.allow(/404/);
    await publish(false);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found.');
    expect((await page.goto('/houses/atelier-grasse'))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found.');
  },
);
