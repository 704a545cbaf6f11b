import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** Where no browser is installed its tests are skipped, and say so. */
export const isBrowserInstalled = executablePath !== undefined;
export const browserTitle = isBrowserInstalled ? 'in a browser' : 'in a browser (chromium is not installed)';

export interface Browser {
  /** An empty page of the given width. */
  open(options?: { readonly width?: number }): Promise<Page>;
}

/** A browser with its own temporary folder. */
export async function launchBrowser(): Promise<{ readonly context: BrowserContext; close(): Promise<void> }> {
  if (!executablePath) throw new Error('chromium is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'pricebook-browser-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    headless: true,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync'],
    ],
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One browser for all tests of the file. */
export function useBrowser(): Browser {
  let browser: Awaited<ReturnType<typeof launchBrowser>> | null = null;
  beforeAll(async () => {
    if (isBrowserInstalled) browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  return {
    async open({ width = 1280 } = {}) {
      const page = await browser!.context.newPage();
      await page.setViewportSize({ width, height: 900 });
      return page;
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules of axe-core whose outcome can be another one in another width or colour scheme; all others read the markup. */
export const rulesOfLooks: readonly string[] = [
  'color-contrast',
  'link-in-text-block',
  'target-size',
  'scrollable-region-focusable',
  'aria-hidden-focus',
  'skip-link',
];

/**
 * What axe-core finds against WCAG 2.2 AA and its own best practices, or against some rules, one line each; none is the
 * aim.
 */
export async function axeFindings(page: Page, rules: readonly string[] | null = null): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) {
    // By the debugger's channel, which the page's own policy does not govern.
    await page.evaluate(axe);
    await page.evaluate(leaveRepeatedColours);
  }
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      // Neither media that play nor paths to elements are asked for.
      preload: false,
      selectors: false,
      ...(only ? { runOnly: only } : {}),
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  }, rules);
}

/**
 * Contrast is most of what axe-core computes. Neighbours that differ in nothing but their words and addresses, as the
 * rows of a table do, have the same colours: the first of them is judged.
 */
const leaveRepeatedColours = `
  const wordless = (element) => {
    const copy = element.cloneNode(true);
    for (const each of [copy, ...copy.querySelectorAll('*')]) {
      for (const node of each.childNodes) if (node.nodeType === Node.TEXT_NODE) node.data = node.data.trim() && 'words';
      for (const name of ['href', 'value', 'datetime', 'title',
        'aria-label']) if (each.getAttribute(name)) each.setAttribute(name, 'words');
    }
    return copy.outerHTML;
  };
  for (const parent of document.querySelectorAll('tbody, ul, ol, dl, select')) {
    const known = new Set();
    for (const child of parent.children) {
      const shape = wordless(child);
      if (known.has(shape)) for (const each of [child, ...child.querySelectorAll('*')]) each.dataset.repeated = '';
      known.add(shape);
    }
  }
  axe.configure({ rules: [{ id: 'color-contrast', selector: ':not([data-repeated])' }] });
`;
