import { describe, expect, it } from 'vitest';
import { browserTitle, isBrowserInstalled, useBrowser } from './browser.ts';
import { useExplorer } from './explorer-book.ts';

describe.skipIf(!isBrowserInstalled)(`a basket ${browserTitle}`, () => {
  const browser = useBrowser();
  const explorer = useExplorer();

  it('is kept: products are added to it, the navigation opens it, and an emptied one is forgotten', async () => {
    const page = await browser.open();
    const [one, other, third] = (
      await explorer.ask<{ id: string }>(
        `select product_id as id from marts.product_now where region = 'uk' and availability = 'available'
         order by 1 limit 3`,
      )
    ).map(({ id }) => id);
    const rows = () => page.locator('tr:has(select[name="items"])').count();
    await page.goto(`${explorer.url}/basket?items=${one}:2`);
    await page.goto(`${explorer.url}/product?id=${other}`);
    await page.getByRole('link', { name: 'Add to a basket' }).click();
    await page.waitForURL(`**/basket?items=${one}%3A2&p=uk%3A${other}`);
    expect(await rows()).toBe(2);
    await page.goto(`${explorer.url}/products?q=${third}`);
    await page.locator('input[name="p"]').check();
    await page.getByRole('button', { name: 'Basket' }).click();
    await page.waitForURL('**/basket?*');
    expect(await rows()).toBe(3);
    await page.goto(explorer.url);
    await page.locator('.menu').getByRole('link', { name: 'Basket' }).click();
    await page.waitForURL('**/basket?*');
    expect(await rows()).toBe(3);
    for (let left = 2; left >= 0; left -= 1) {
      await page
        .getByRole('link', { name: /^Remove/ })
        .first()
        .click();
      await expect.poll(rows).toBe(left);
    }
    await page.goto(`${explorer.url}/basket`);
    expect(await rows()).toBe(0);
  });

  it('is one basket in all tabs: what one tab adds is there when another adds more', async () => {
    const [one, other, third] = (
      await explorer.ask<{ id: string }>(
        `select product_id as id from marts.product_now where region = 'uk' and availability = 'available'
         order by 1 limit 3`,
      )
    ).map(({ id }) => id);
    const [tab, elsewhere] = [await browser.open(), await browser.open()];
    await tab.goto(`${explorer.url}/basket?items=${one}`);
    await tab.goto(`${explorer.url}/product?id=${third}`);
    await elsewhere.goto(`${explorer.url}/product?id=${other}`);
    await elsewhere.getByRole('link', { name: 'Add to a basket' }).click();
    await elsewhere.waitForURL('**/basket?*');
    await expect.poll(() => tab.locator('a[data-add]').getAttribute('href')).toContain(other!);
    await tab.getByRole('link', { name: 'Add to a basket' }).click();
    await tab.waitForURL('**/basket?*');
    expect(await tab.locator('tr:has(select[name="items"])').count()).toBe(3);
  });

  it('loses nothing when the region is switched to and fro, by its link, the navigation or a reload', async () => {
    const page = await browser.open();
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
    const both = ids(await explorer.ask('select uk_product_id as id from marts.region_match order by 1 limit 2'));
    const alone = ids(
      await explorer.ask(
        `select product_id as id from marts.product_now where region = 'uk' and availability = 'available'
           and product_key not in (select uk_product_key from marts.region_match)
         order by 1 limit 3`,
      ),
    );
    const rows = () => page.locator('tr:has(select[name="items"])').count();
    const ofRegion = (name: string) => page.locator('[aria-label="Region"]').getByRole('link', { name });
    const inRegion = (region: string) =>
      page.waitForURL(
        ({ pathname, searchParams }) =>
          pathname === '/basket' && (searchParams.get('region') ?? 'uk') === region && searchParams.has('items'),
      );
    await page.goto(`${explorer.url}/basket?items=${[...both, ...alone].join(',')}`);
    await page.getByRole('link', { name: 'That basket' }).click();
    await inRegion('ie');
    expect(await rows()).toBe(2);
    await page.reload();
    await page.goto(`${explorer.url}/?region=uk`);
    await page.locator('.menu').getByRole('link', { name: 'Basket' }).click();
    await inRegion('uk');
    expect(await rows()).toBe(5);
    await page.goto(`${explorer.url}/?region=ie`);
    await page.locator('.menu').getByRole('link', { name: 'Basket' }).click();
    await inRegion('ie');
    expect(await rows()).toBe(2);
    await ofRegion('UK').click();
    await inRegion('uk');
    expect(await rows()).toBe(5);
    await ofRegion('Ireland').click();
    await inRegion('ie');
    await page
      .getByRole('link', { name: /^Remove/ })
      .first()
      .click();
    await expect.poll(rows).toBe(1);
    await page.goto(`${explorer.url}/basket?region=uk`);
    await inRegion('uk');
    expect(await rows()).toBe(4);
  });

  it('gets all products ticked in several searches, which stay ticked meanwhile and can be unticked', async () => {
    const page = await browser.open();
    const two = await explorer.ask<{ id: string; title: string }>(
      `select product_id as id, title from marts.product_now where region = 'uk' and availability = 'available'
       order by 1 limit 2`,
    );
    await page.goto(`${explorer.url}/basket?items=&region=uk`);
    const box = (i: number) => page.locator(`input[name="p"][value="uk:${two[i]!.id}"]:visible`);
    await page.goto(`${explorer.url}/products?q=${two[0]!.id}`);
    await box(0).check();
    // The page searches while words are typed, and replaces its list.
    await page.locator('#find [type=search]').fill(two[1]!.id);
    await box(1).check();
    await page.getByText('2 ticked:').waitFor();
    await page.goto(`${explorer.url}/products?q=${two[0]!.id}`);
    expect(await box(0).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Basket' }).click();
    await page.waitForURL('**/basket?*');
    expect(await page.locator('tr:has(select[name="items"])').count()).toBe(2);
    await page.goto(`${explorer.url}/products?q=${two[0]!.id}`);
    expect(await box(0).isChecked()).toBe(false);
    await box(0).check();
    await page.getByRole('button', { name: 'Untick all' }).click();
    expect(await box(0).isChecked()).toBe(false);
    await page.goto(`${explorer.url}/basket?items=&region=uk`);
  });

  it('products are no longer ticked once they are compared', async () => {
    const page = await browser.open();
    await page.goto(`${explorer.url}/products`);
    const boxes = page.locator('.products [type=checkbox]');
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.getAll('p').length === 2);
    await page.goto(`${explorer.url}/movers?period=month`);
    expect(await page.locator('.ticked.rows:visible').count()).toBe(0);
    await page.goBack();
    await page.goBack();
    expect(await page.locator('.products :checked').count()).toBe(0);
  });

  it('is not alone kept: the navigation opens the last comparison until its products are removed', async () => {
    const page = await browser.open();
    const [one] = await explorer.ask<{ id: string }>(
      `select product_id as id from marts.product_now where region = 'uk' and availability = 'available' limit 1`,
    );
    await page.goto(`${explorer.url}/compare?p=uk:${one!.id}`);
    await page.goto(explorer.url);
    const compare = page.locator('.menu a[href^="/compare"]');
    expect(await compare.getAttribute('href')).toContain(one!.id);
    await page.goto(`${explorer.url}${await compare.getAttribute('href')}`);
    await page.getByRole('link', { name: /^Remove/ }).click();
    await page.waitForURL(({ searchParams }) => !searchParams.has('p'));
    expect(await compare.getAttribute('href')).toBe('/compare');
  });
});
