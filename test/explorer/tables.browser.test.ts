import { describe, expect, it } from 'vitest';
import { browserTitle, isBrowserInstalled, useBrowser } from './browser.ts';
import { useExplorer } from './explorer-book.ts';

describe.skipIf(!isBrowserInstalled)(browserTitle, () => {
  const browser = useBrowser();
  const explorer = useExplorer();

  it.each([1280, 320])('each date of a table takes one line, %i pixels wide', async (width) => {
    const page = await browser.open({ width });
    for (const path of ['/promotions', '/uk-ireland', '/nights']) {
      await page.goto(explorer.url + path);
      const broken = await page.evaluate(`[...document.querySelectorAll('td')].filter((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell.firstElementChild ?? cell);
        const lines = new Set([...text.getClientRects()].map((line) => line.top));
        return /^\\d+ [A-Z][a-z]{2} \\d{4}$/.test(cell.textContent) && lines.size > 1;
      }).length`);
      expect([path, broken]).toEqual([path, 0]);
    }
  });

  it('the form shows the values of the address, also after the back button', async () => {
    const page = await browser.open();
    await page.goto(`${explorer.url}/movers?period=month`);
    await page.selectOption('select[name="direction"]', 'falls');
    await page.fill('input[name="words"]', 'milk');
    await Promise.all([page.waitForURL(/direction=falls/), page.click('form.filters button[type="submit"]')]);
    await page.goBack();
    const form = await page.evaluate(`[...document.querySelectorAll('form.filters [name]')]
      .filter(({ name }) => ['direction', 'words', 'period'].includes(name))
      .map(({ name, value }) => name + '=' + value)
      .sort()`);
    expect(new URL(page.url()).search).toBe('?period=month');
    expect(form).toEqual(['direction=both', 'period=month', 'words=']);
  });

  it('a table shows without scrolling whether an offer is real, and its text in a few lines', async () => {
    const page = await browser.open();
    await page.goto(`${explorer.url}/promotions`);
    const [right, height] = (await page.evaluate(`(() => {
      const tables = [...document.querySelectorAll('table')];
      const table = tables.find((one) => one.caption.textContent === 'All offers that began');
      const verdicts = [...table.querySelectorAll('.badge')].map((badge) => badge.getBoundingClientRect().right);
      const line = parseFloat(getComputedStyle(table).lineHeight);
      const rows = [...table.tBodies[0].rows].map((row) => row.getBoundingClientRect().height / line);
      return [Math.max(...verdicts), Math.max(...rows)];
    })()`)) as [number, number];
    expect(right).toBeLessThan(1280);
    expect(height).toBeLessThan(8);
  });

  it.each([1280, 320])(
    'a chart shows the values of a night on hover and by keyboard, %i pixels wide',
    async (width) => {
      const page = await browser.open({ width });
      await page.goto(`${explorer.url}/index?b=ie`);
      const slider = page.getByRole('slider');
      const box = (await slider.boundingBox())!;
      await slider.hover({ position: { x: box.width * 0.8, y: 40 } });
      const tip = page.locator('.tip');
      expect(await tip.textContent()).toMatch(/June 2026United Kingdom, everything [\d.]+Ireland/);
      await slider.focus();
      await page.keyboard.press('Home');
      expect(await slider.getAttribute('aria-valuetext')).toContain('6 June 2026');
      // The third night is partial in the United Kingdom alone.
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      const partial = await slider.getAttribute('aria-valuetext');
      expect(partial).toContain('8 June 2026: Ireland, everything');
      expect(partial).not.toContain('United Kingdom');
    },
  );

  it('the link to the SQL of a table opens it', async () => {
    const page = await browser.open();
    await page.goto(`${explorer.url}/products`);
    expect(await page.locator('#sql-products').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Products: the SQL behind it' }).click();
    await expect.poll(() => page.locator('#sql-products').isVisible()).toBe(true);
  });

  it('the choice of light or dark is kept on the next page', async () => {
    const page = await browser.open();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(explorer.url);
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.getByRole('button', { name: 'Light or dark' }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.goto(`${explorer.url}/movers`);
    await expect.poll(background).toBe(dark);
    await page.evaluate('localStorage.clear()');
  });

  it('another range replaces the chart of a product in place', async () => {
    // Ranges are offered that are shorter than the time for which the product is known.
    await explorer.db.query(`update catalog.product set first_seen_at = first_seen_at - interval '60 days'`);
    const page = await browser.open();
    const [product] = await explorer.ask<{ id: string }>(
      `select product_id as id from marts.product_now
       where region = 'uk' and availability = 'available'
       order by 1 limit 1`,
    );
    await page.goto(`${explorer.url}/product?id=${product!.id}`);
    await page.evaluate('document.querySelector("h1").dataset.kept = "yes"');
    await page.getByRole('link', { name: '30 nights' }).click();
    await expect.poll(() => page.url()).toContain('span=month');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('30 nights');
    expect(await page.evaluate('document.querySelector("h1").dataset.kept')).toBe('yes');
  });
});
