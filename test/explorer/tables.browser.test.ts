import { describe, expect, it } from 'vitest';
import { browserTitle, isBrowserInstalled, useBrowser } from './browser.ts';
import { useExplorer } from './explorer-book.ts';

describe.skipIf(!isBrowserInstalled)(browserTitle, () => {
  const browser = useBrowser();
  const explorer = useExplorer();

  it.each([1280, 320])('each date of a table takes one line, %i pixels wide', async (width) => {
    const page = await browser.open({ width });
    for (const path of ['/promotions?nights=31', '/shrinkflation?what=both', '/nights']) {
      await page.goto(explorer.url + path);
      const broken = await page.evaluate(`[...document.querySelectorAll('td')].filter((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell.firstElementChild ?? cell);
        const lines = new Set([...text.getClientRects()].map((line) => line.top));
        return /^\\d{4}-\\d\\d-\\d\\d$/.test(cell.textContent) && lines.size > 1;
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
      .map(({ name, value }) => name + '=' + value)`);
    expect(new URL(page.url()).search).toBe('?period=month');
    expect(form).toEqual(['period=month', 'direction=both', 'words=']);
  });

  it('a table shows without scrolling whether a promotion was a reduction, and its text in a few lines', async () => {
    const page = await browser.open();
    await page.goto(`${explorer.url}/promotions?nights=31`);
    const [right, height] = (await page.evaluate(`(() => {
      const tables = [...document.querySelectorAll('table')];
      const table = tables.find((one) => one.caption.textContent === 'Promotions that began');
      const verdict = [...table.querySelectorAll('th')].find((cell) => cell.textContent === 'Was it a reduction?');
      const line = parseFloat(getComputedStyle(table).lineHeight);
      const rows = [...table.tBodies[0].rows].map((row) => row.getBoundingClientRect().height / line);
      return [verdict.getBoundingClientRect().right, Math.max(...rows)];
    })()`)) as [number, number];
    expect(right).toBeLessThan(1280);
    expect(height).toBeLessThan(8);
  });
});
