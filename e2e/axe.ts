import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { isLongForm } from './form.ts';

/**
 * Returns the violations that axe finds on the current page: each rule with the elements that break it. Legacy mode
 * opens no second page to combine the results of frames, which our pages do not have. Together with leaving out passed
 * rules, it saves two thirds of the time. The rows of a table are alike: three of them take half the time of twenty.
 */
export async function axeViolations(page: Page, part = 'html'): Promise<[rule: string, elements: string[]][]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (!isLongForm) axe.exclude('tbody > tr:nth-child(n + 4)');
  const { violations } = await axe.include(part).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
}
