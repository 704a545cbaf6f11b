import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { browserTitle, isBrowserInstalled, useBrowser } from './browser.ts';
import { useExplorer } from './explorer-book.ts';

describe.skipIf(!isBrowserInstalled)(`searching ${browserTitle}`, () => {
  const browser = useBrowser();
  const explorer = useExplorer();
  let page: Page;
  afterEach(() => page.close());

  const titles = () => page.locator('.products tbody .name').allTextContents();
  /** The complete page of a search. */
  const titlesAt = async (address: string) => {
    const other = await browser.open();
    await other.goto(address);
    const found = await other.locator('.products tbody .name').allTextContents();
    await other.close();
    return found;
  };
  const someWord = async () => {
    const [row] = await explorer.ask<{ title: string }>(
      `select title
       from marts.product_now
       where region = 'uk' and availability = 'available'
       order by product_id
       limit 1`,
    );
    return row!.title.match(/[A-Za-z]{4,}/)![0].toLowerCase();
  };

  it('products are found and opened by keyboard alone while words are typed', async () => {
    page = await browser.open();
    await page.goto(explorer.url);
    const press = async (key: string, until: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press(key);
        if (await page.evaluate(until)) return;
      }
      throw new Error(`${until} was not reached by keyboard`);
    };
    await press('Tab', `document.activeElement.getAttribute('href') === '/products'`);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/products');
    const all = await titles();
    await press('Tab', `document.activeElement.name === 'q'`);
    const word = await someWord();
    await page.keyboard.type(word);

    await expect.poll(() => page.url()).toMatch(new RegExp(`/products\\?.*q=${word}(&|$)`));
    const found = await titles();
    expect(found).not.toEqual(all);
    expect(found).toEqual(await titlesAt(page.url()));
    expect(await page.locator('[role=status]').textContent()).toBe(await page.locator('h1').textContent());
    // The field keeps its text and cursor.
    expect(await page.evaluate('[document.activeElement.name, document.activeElement.value]')).toEqual(['q', word]);

    await press('Tab', `document.activeElement.closest('main tbody') !== null`);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/product?*');
    expect(await page.locator('h1').textContent()).toBe(found[0]);
    await page.goBack();
    expect(await titles()).toEqual(found);
  });

  it('a late answer does not replace the answer to the last input', async () => {
    page = await browser.open();
    await page.goto(`${explorer.url}/products`);
    const word = await someWord();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/products?q=${word.slice(0, 2)}`, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.locator('[name=q]').fill(word.slice(0, 2));
    await page.waitForRequest(`**/products?q=${word.slice(0, 2)}`);
    await page.locator('[name=q]').fill(word);
    await expect.poll(() => page.url()).toMatch(new RegExp(`q=${word}$`));
    const found = await titles();
    release();
    await page.waitForTimeout(300);
    expect(await titles()).toEqual(found);
    expect(page.url()).toMatch(new RegExp(`q=${word}$`));
  });
});
