import { describe, expect, it } from 'vitest';
import { insert } from '../support/insert.ts';
import { browserTitle, isBrowserInstalled, useBrowser } from './browser.ts';
import { book, useExplorer } from './explorer-book.ts';

describe.skipIf(!isBrowserInstalled)(browserTitle, () => {
  const browser = useBrowser();
  const explorer = useExplorer();

  it('a product is watched by keyboard, a missing amount is asked for, and its news are marked once', async () => {
    const [product] = await explorer.ask<{ id: string; title: string }>(
      `select product_id as id, title from marts.product_now
       where region = 'uk' and availability = 'available' and price is not null order by product_key limit 1`,
    );
    const { id, title } = product!;
    const page = await browser.open();
    await page.goto(`${explorer.url}/product?id=${id}`);
    await page.getByRole('link', { name: 'Tell me when…' }).focus();
    await page.keyboard.press('Enter');
    const amount = page.getByLabel('Amount in pounds');
    await amount.focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await page.getByText('Say at which price, such as 1.50.').waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('amount');
    await page.keyboard.type('0.01');
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').textContent()).toContain(`Watching ${title}.`);

    const [rule] = await explorer.ask<{ watch_id: string }>('select watch_id from marts.watch');
    const event = {
      watch_id: rule!.watch_id,
      product_id: id,
      title,
      rule: 'below',
      event: '£0.01, at or below £0.01.',
    };
    await insert(explorer.db, 'ops.watch_message', [
      {
        ...{ list: 'prices', region: 'uk', snapshot_date: book.lastNight, created_at: '2026-06-10T04:00:00Z' },
        events: JSON.stringify([event]),
      },
    ]);
    await page.goto(`${explorer.url}/watch`);
    expect(await page.locator('#since-last').textContent()).toBe('1 new since your last visit');
    expect(await page.locator('[data-at] .badge').textContent()).toBe('new');
    await page.reload();
    expect(await page.locator('#since-last').textContent()).toBe('nothing new since your last visit');
  });

  it('a rule that needs no amount has no field for it', async () => {
    const [product] = await explorer.ask<{ id: string }>(
      `select product_id as id from marts.product_now where region = 'uk' order by product_key limit 1`,
    );
    const page = await browser.open({ width: 320 });
    await page.goto(`${explorer.url}/watch?product=${product!.id}`);
    expect(await page.getByLabel('Amount in pounds').isVisible()).toBe(true);
    await page.selectOption('select[name="rule"]', 'back');
    expect(await page.getByLabel('Amount in pounds').isVisible()).toBe(false);
  });
});
