import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * What axe finds wrong with the page as it is now: each rule, and the elements that break it. Our pages hold no frames,
 * so it need not gather results over frames in a second page; that, and leaving out what is right, is two thirds of its
 * time.
 */
export async function brokenRules(page: Page, part = 'html'): Promise<[rule: string, elements: string[]][]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const { violations } = await axe.include(part).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
}
