import { describe, expect, it } from 'vitest';
import { browserTitle, isBrowserInstalled, useBrowser } from './browser.ts';
import { useExplorer } from './explorer-book.ts';

describe.skipIf(!isBrowserInstalled)(browserTitle, () => {
  const browser = useBrowser();
  const explorer = useExplorer();

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

  it.each([1280, 320])(
    'a chart shows the values of a night on hover and by keyboard, %i pixels wide',
    async (width) => {
      const page = await browser.open({ width });
      await page.goto(`${explorer.url}/index`);
      const slider = page.getByRole('slider');
      const box = (await slider.boundingBox())!;
      await slider.hover({ position: { x: box.width * 0.8, y: 40 } });
      const tip = page.locator('.tip');
      expect(await tip.textContent()).toMatch(/June 2026United Kingdom, everything [\d.]+ ±[\d.]+Ireland/);
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

  it('a button copies the commands of the documentation, and what they print has none', async () => {
    const page = await browser.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${explorer.url}/docs/start/tutorial`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^npm install\nnpm start$/);
    expect(await page.locator('.scroll:has(.output) .copy').count()).toBe(0);
  });
});
