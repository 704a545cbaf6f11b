import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { addresses } from './addresses.ts';
import { browserTitle, isBrowserInstalled, useBrowser } from './browser.ts';
import { book, useExplorer } from './explorer-book.ts';

describe.skipIf(!isBrowserInstalled)(`zooming ${browserTitle}`, () => {
  const browser = useBrowser();
  const explorer = useExplorer();
  let page: Page;
  afterEach(() => page.close());

  const open = async () => {
    page = await browser.open();
    const [address] = await addresses['/product']!(explorer);
    await page.goto(explorer.url + address);
  };
  const shownDays = () =>
    page
      .locator('svg[data-from]')
      .first()
      .evaluate((svg) => [svg.dataset['from'], Number(svg.dataset['days'])]);
  const given = () => {
    const { searchParams } = new URL(page.url());
    return [searchParams.get('from'), searchParams.get('to')];
  };
  /** Drags over the chart between two shares of its plot. */
  const drag = async (first: number, last: number) => {
    const chart = page.locator('svg[data-from]').first();
    await chart.scrollIntoViewIfNeeded();
    const box = (await chart.boundingBox())!;
    const { left, right, width } = await chart.evaluate((svg) => ({
      left: Number(svg.dataset['left']),
      right: Number(svg.dataset['right']),
      width: (svg as unknown as SVGSVGElement).viewBox.baseVal.width,
    }));
    const at = (share: number) => box.x + ((left + share * (right - left)) / width) * box.width;
    const y = box.y + box.height / 2;
    await page.mouse.move(at(first), y);
    await page.mouse.down();
    await page.mouse.move(at((first + last) / 2), y);
    await page.mouse.move(at(last), y);
    await page.mouse.up();
  };

  it('a stretch that is dragged over a chart is what all charts show, in whatever direction; the address says it', async () => {
    await open();
    expect(await shownDays()).toEqual([book.firstNight, 5]);
    await drag(0.5, 0.25);
    await page.waitForURL('**from=*');
    expect(given()).toEqual(['2026-06-07', '2026-06-08']);
    // The partial night is no night of a chart.
    expect(await shownDays()).toEqual(['2026-06-07', 1]);
    await page.goBack();
    expect(await shownDays()).toEqual([book.firstNight, 5]);
  });

  it('a click is no stretch, and what is dragged past an edge ends there', async () => {
    await open();
    const before = page.url();
    await drag(0.5, 0.5);
    expect(page.url()).toBe(before);
    await drag(0.7, 1.4);
    await page.waitForURL('**from=*');
    expect(given()).toEqual(['2026-06-09', book.lastNight]);
  });

  it('without a pointer: the dates are typed, and the way back to all nights is a link', async () => {
    await open();
    await page.locator('[name=from]').fill('2026-06-09');
    await page.locator('[name=from]').press('Enter');
    await page.waitForURL('**from=2026-06-09*');
    expect(await shownDays()).toEqual(['2026-06-09', 2]);
    await page.getByRole('link', { name: 'all nights' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**span=all');
    expect(await shownDays()).toEqual([book.firstNight, 5]);
  });
});
