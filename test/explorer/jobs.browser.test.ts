import { describe, expect, it } from 'vitest';
import { axeFindings, browserTitle, isBrowserInstalled, useBrowser } from './browser.ts';
import { useExplorer } from './explorer-book.ts';

/**
 * What axe-core says of the parts that bull-board brings: nameless buttons, the hint of a shortcut, its logo beside its
 * name, and, while one is shown, a notice that can be closed; its pages have no heading before they have loaded.
 */
const ofBullBoard = [
  'button-name',
  'color-contrast',
  'image-redundant-alt',
  'aria-hidden-focus',
  'page-has-heading-one',
];

describe.skipIf(!isBrowserInstalled)(`the queue page ${browserTitle}`, () => {
  const browser = useBrowser();
  const explorer = useExplorer('empty');

  it("the queue page passes axe-core except for bull-board's parts, and fits 320 pixels", async () => {
    const page = await browser.open({ width: 320 });
    const complaints: string[] = [];
    page.on('console', (message) => {
      // The queues of this explorer are not open, and the page says so.
      if (message.type() === 'error' && !/status of 503/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${explorer.url}/jobs/board`);
    await page.locator('header').waitFor();
    const findings = await axeFindings(page);
    expect(findings.filter((finding) => !ofBullBoard.includes(finding.split(':')[0]!))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(complaints).toEqual([]);
    await page.getByRole('link', { name: '← Pricebook' }).click();
    expect(new URL(page.url()).pathname).toBe('/jobs');
    await page.close();
  });
});
