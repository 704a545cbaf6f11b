import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserTitle, isBrowserInstalled, useBrowser } from './browser.ts';
import { useExplorer } from './explorer-book.ts';

/** What people come for, from the first page on, with Tab, Enter, Space and letters alone. */
describe.skipIf(!isBrowserInstalled).each([true, false])(`by keyboard ${browserTitle}, scripts: %s`, (hasScript) => {
  const browser = useBrowser();
  const explorer = useExplorer();

  async function start(path = '/'): Promise<Page> {
    const page = await browser.open();
    if (!hasScript) {
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setScriptExecutionDisabled', { value: true });
    }
    await page.goto(explorer.url + path);
    return page;
  }

  /** Presses Tab until such an element has the focus, which must be visible. */
  async function reach(page: Page, selector: string, words = '') {
    const isThere = `document.activeElement.matches(${JSON.stringify(selector)}) &&
      document.activeElement.textContent.includes(${JSON.stringify(words)})`;
    for (let presses = 0; presses < 300; presses += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(isThere)) {
        const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
        expect([selector, outline]).not.toEqual([selector, 'none']);
        return;
      }
    }
    throw new Error(`${selector} ${words} was not reached on ${page.url()}`);
  }

  async function follow(page: Page, selector: string, words = '') {
    await reach(page, selector, words);
    const before = page.url();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.href !== before);
    await page.waitForLoadState();
  }

  async function search(page: Page, field: string, words: string) {
    await reach(page, field);
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => [...url.searchParams.values()].includes(words));
    await page.waitForLoadState();
  }

  const heading = (page: Page) => page.locator('h1').textContent();

  /** The values of a chart, on the arrow keys. */
  async function readChart(page: Page) {
    if (!hasScript) return expect(await page.getByRole('slider').count()).toBe(0);
    await reach(page, '[role="slider"]');
    await page.keyboard.press('Home');
    expect(await page.locator('.tip').first().textContent()).toMatch(/£[\d.]+/);
  }

  it('what became dearer and is on offer is found, and whether the offer is real', async () => {
    const [dear] = await explorer.rows('find', 'moved=dearer&offer=promotion');
    const word = dear!['title']!.split(' ')[0]!;
    const page = await start();
    await search(page, 'input[name="words"]', word);
    await follow(page, 'a[href*="moved=dearer"]');
    await follow(page, 'main a[href*="offer=promotion"]');
    await follow(page, 'main .products .name');
    expect(await heading(page)).toContain(word);
    expect(await page.locator('main').textContent()).toMatch(
      /says \d+%, is|[Rr]eal|[Oo]verstated|[Tt]oo early to tell/,
    );
  });

  it('the departments of the price index are opened', async () => {
    const page = await start();
    await follow(page, 'nav a[href^="/index"]');
    const name = await page.locator('.part .name').first().textContent();
    await follow(page, '.part .name');
    expect(await heading(page)).toContain(`Prices of ${name}`);
  });

  it('the cheapest per unit are ticked and compared over the nights', async () => {
    const [some] = await explorer.ask<{ title: string }>(
      `select title from marts.product_now where region = 'uk' and availability = 'available'
         and unit_of_measure = 'kg' order by product_id limit 1`,
    );
    const page = await start();
    await search(page, 'input[name="words"]', some!.title.split(' ').at(-2)!);
    await follow(page, 'a[href*="sort=cheapest-unit"]');
    for (const _ of [1, 2]) {
      await reach(page, 'input[type="checkbox"][name="items"]');
      await page.keyboard.press('Space');
    }
    await follow(page, '.ticked button', 'Compare');
    expect(await page.locator('.products tbody tr').count()).toBe(2);
    await readChart(page);
  });
});
