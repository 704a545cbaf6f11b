import type { ConsoleMessage, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../src/web/pages/index.ts';
import { addresses } from './addresses.ts';
import { axeFindings, browserTitle, isBrowserInstalled, rulesOfLooks, useBrowser } from './browser.ts';
import { useExplorer } from './explorer-book.ts';

describe.skipIf(!isBrowserInstalled)(browserTitle, () => {
  const browser = useBrowser();
  const explorer = useExplorer('full');
  const empty = useExplorer('empty');
  /** Markup without the current page's mark: a refusal is the same on every path, so it is checked once. */
  const judged = new Set<string>();
  /** One for all: the browser starts a process for each. */
  let page: Page;
  beforeAll(async () => {
    page = await browser.open();
  });

  it.each(pages.map(({ path }) => path))(
    '%s passes axe-core when full, empty and refused, at both widths and in both themes',
    async (path) => {
      const full = (await addresses[path]?.(explorer)) ?? [path];
      const shown = [
        ...full.map((address) => explorer.url + address),
        empty.url + full[0]!,
        `${explorer.url}${path}?nonsense=1`,
      ];
      const complaints: string[] = [];
      const hear = (message: ConsoleMessage) => {
        // Refused and missing pages are errors to the browser.
        if (message.type() === 'error' && !/status of 40[04]/.test(message.text())) complaints.push(message.text());
      };
      const hearError = (error: Error) => complaints.push(error.message);
      page.on('console', hear).on('pageerror', hearError);
      for (const [i, address] of shown.entries()) {
        const markup = (await (await fetch(address)).text()).replace(' aria-current="page"', '');
        if (judged.has(markup)) continue;
        judged.add(markup);
        await page.emulateMedia({ colorScheme: i % 2 === 0 ? 'light' : 'dark' });
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.goto(address);
        expect([address, await axeFindings(page)]).toEqual([address, []]);
        await page.setViewportSize({ width: 320, height: 900 });
        await page.emulateMedia({ colorScheme: i % 2 === 0 ? 'dark' : 'light' });
        expect([address, await axeFindings(page, rulesOfLooks)]).toEqual([address, []]);
        // WCAG 1.4.10: nothing but tables, charts and code, which scroll by themselves, is wider than the window.
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect([address, width]).toEqual([address, 320]);
      }
      page.off('console', hear).off('pageerror', hearError);
      expect(complaints).toEqual([]);
    },
  );

  it('the keyboard reaches all elements: the first stop skips the navigation, and every stop is visible', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(explorer.url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.keyboard.press('Tab');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).not.toBe('none');
  });
});
