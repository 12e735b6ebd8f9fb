import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * The violations that axe finds on the current page: each rule with the elements that break it. Our pages have no frames, so axe
 * need not collect results from frames in a second page; that, and leaving out passed rules, saves two thirds of its time.
 */
export async function axeViolations(page: Page, part = 'html'): Promise<[rule: string, elements: string[]][]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const { violations } = await axe.include(part).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
}
