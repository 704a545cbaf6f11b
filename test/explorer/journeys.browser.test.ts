import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserTitle, isBrowserInstalled, useBrowser } from './browser.ts';
import { useExplorer } from './explorer-book.ts';
import { readCsv } from './read-csv.ts';

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

  /** The values of a chart: on the arrow keys, or in its table. */
  async function readChart(page: Page, table: string) {
    if (hasScript) {
      await reach(page, '[role="slider"]');
      await page.keyboard.press('Home');
      expect(await page.locator('.tip').first().textContent()).toMatch(/£[\d.]+/);
    } else expect(await page.getByRole('slider').count()).toBe(0);
    await reach(page, 'summary', table);
    await page.keyboard.press('Enter');
    expect(await page.locator('details[open].table').textContent()).toMatch(/£[\d.]+/);
  }

  it('what became dearer and is on offer is found, and whether the offer is real', async () => {
    const [dear] = readCsv(await (await explorer.get('/products.csv?moved=dearer&offer=promotion')).text());
    const word = dear!['title']!.split(' ')[0]!;
    const page = await start();
    await search(page, 'input[name="q"]', word);
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

  it('packs that shrank are counted, and one is opened', async () => {
    const page = await start();
    await follow(page, 'nav a[href^="/shrinkflation"]');
    expect(await heading(page)).toMatch(/packs? shrank/);
    await follow(page, 'main a[href^="/product?"]');
    expect(await page.locator('main').textContent()).toMatch(/shrank/);
  });

  it('the cheapest per unit are ticked and compared over the nights', async () => {
    const [some] = await explorer.ask<{ title: string }>(
      `select title from marts.product_now where region = 'uk' and availability = 'available'
         and unit_of_measure = 'kg' order by product_id limit 1`,
    );
    const page = await start();
    await search(page, 'input[name="q"]', some!.title.split(' ').at(-2)!);
    await follow(page, 'a[href*="sort=cheapest-unit"]');
    for (const _ of [1, 2]) {
      await reach(page, 'input[type="checkbox"][name="p"]');
      await page.keyboard.press('Space');
    }
    await follow(page, '.ticked button', 'Compare');
    expect(await page.locator('.products tbody tr').count()).toBe(2);
    await readChart(page, 'Prices of the chart');
  });

  it('a basket of ten is filled by one search and read over the nights', async () => {
    const titles = await explorer.ask<{ title: string }>(
      `select distinct on (title) title from marts.product_now
       where region = 'uk' and availability = 'available' and title !~ '[,<]' order by title limit 10`,
    );
    const page = await start();
    await follow(page, 'nav a[href*="/basket"]');
    await search(page, 'input[name="find"]', titles.map(({ title }) => title).join(', '));
    await follow(page, '.ticked button', 'Add those ticked');
    expect(await page.locator('tr:has(select[name="items"])').count()).toBe(10);
    expect(await heading(page)).toMatch(/^The basket costs £[\d.]+/);
    await follow(page, 'a', 'Done');
    await readChart(page, 'Total of each night');
    if (hasScript) await page.evaluate('localStorage.clear()');
  });

  it('a product is watched, and the list has a feed', async () => {
    const [one] = await explorer.ask<{ id: string }>(
      `select product_id as id from marts.product_now where region = 'uk' and availability = 'available' limit 1`,
    );
    const page = await start();
    await search(page, 'input[name="q"]', one!.id);
    await follow(page, 'main .products .name');
    await follow(page, 'a[href^="/watch?"]');
    await reach(page, 'main form button[type="submit"]');
    await page.keyboard.press('Enter');
    await page.locator('main [name="remove"]').first().waitFor();
    await reach(page, 'main a[href$=".atom"]');
    await explorer.db.query('delete from ops.watch');
  });
});
