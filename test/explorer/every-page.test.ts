import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pages } from '../../src/web/pages/index.ts';
import { addresses } from './addresses.ts';
import { useExplorer } from './explorer-book.ts';

const explorer = useExplorer('full');
const empty = useExplorer('empty');

const addressesOf = (path: string) => addresses[path]?.(explorer) ?? Promise.resolve([path]);
const paths = pages.map(({ path }) => path);

describe.each(paths)('%s', (path) => {
  it('a page has a title, a description, a heading, the freshness and a skip link', async () => {
    for (const address of await addressesOf(path)) {
      const response = await explorer.get(address);
      const html = await response.text();
      expect([address, response.status]).toEqual([address, 200]);
      expect(html).toMatch(/^<!doctype html><html lang="en">/);
      expect(html).toMatch(/<title>[^<]+ · Pricebook<\/title><meta name="description" content="[^"]{20,200}"/);
      expect(html.match(/<h1>/g)).toHaveLength(1);
      expect(html).toContain('href="#main"');
      expect(html).toContain('Prices of the night of 10 June 2026');
    }
  });

  it('a first visit takes at most 60 KB compressed, with at most 15 KB of scripts', async () => {
    for (const address of await addressesOf(path)) {
      const html = await (await explorer.get(address)).text();
      const weigh = async (what: RegExp) => {
        const files = [...new Set([...html.matchAll(what)].map(([, file]) => file!))];
        expect([address, files]).not.toEqual([address, []]);
        const contents = await Promise.all(files.map(async (file) => (await explorer.get(file)).arrayBuffer()));
        return contents.reduce((sum, content) => sum + gzipSync(content).length, 0);
      };
      const scripts = await weigh(/<script src="([^"]+)"/g);
      expect(scripts).toBeLessThan(15 * 1024);
      const others = await weigh(/<link rel="(?:stylesheet|preload)" href="([^"]+)"/g);
      expect(gzipSync(html).length + scripts + others).toBeLessThan(60 * 1024);
    }
  });

  it('a page contains no script, style or address of a third party', async () => {
    for (const address of await addressesOf(path)) {
      const html = await (await explorer.get(address)).text();
      expect(html).not.toMatch(/ style=| on\w+=|<style|<script(?! src="\/assets\/)|javascript:/i);
      expect(html.match(/(?:src|action)="(?!\/)[^"]*"/g) ?? []).toEqual([]);
      // When a browser goes back, it would restore the last choice into a form whose page shows another.
      expect(html).not.toMatch(/<form class="filters" action="(?![^>]*autocomplete="off")/);
    }
  });

  it('a page offers each table as CSV with the rows of the displayed SQL', async () => {
    for (const address of await addressesOf(path)) {
      const html = await (await explorer.get(address)).text();
      const statements = [...html.matchAll(/<pre id="sql-(\w+)">([\s\S]*?)<\/pre>[\s\S]*?<a href="([^"]+)"/g)];
      expect(statements.length).toBeGreaterThan(0);
      for (const [, name, statement, href] of statements) {
        const rows = await explorer.ask(unescaped(statement!));
        const csv = await (await explorer.get(unescaped(href!))).text();
        const records = csv.split('\r\n').slice(0, -1);
        expect([name, recordsIn(csv)]).toEqual([name, rows.length + 1]);
        if (rows[0])
          expect(records[0]!.split(',')).toEqual(
            // The JSON of small charts is of no use in a file.
            Object.keys(rows[0]).filter((column) => !['history', 'offers'].includes(column)),
          );
      }
    }
  });

  it('a page and its CSV refuse invalid parameters in one line', async () => {
    const asked = await explorer.get(`${path}?nonsense=1`);
    expect(asked.status).toBe(400);
    expect(await asked.text()).toContain('“nonsense” is not a parameter of this page.');
    const csv = await explorer.get(`${path === '/' ? '/home' : path}.csv?nonsense=1`);
    expect([csv.status, await csv.text()]).toEqual([400, '“nonsense” is not a parameter of this page.\n']);
  });

  it('a page states in a sentence that an empty database has nothing to show', async () => {
    for (const address of await addressesOf(path)) {
      const response = await empty.get(address);
      const html = await response.text();
      // The one thing that a page is about is not there.
      expect([address, response.status]).toEqual([
        address,
        pages.find((page) => page.path === path)!.isOfOneThing ? 404 : 200,
      ]);
      expect(html).toMatch(/class="(empty|none)"/);
      expect(html).toContain('United Kingdom: no complete night yet');
    }
  });
});

it('a repeated table parameter is refused, like any repeated parameter', async () => {
  const response = await explorer.get('/operations.csv?table=nights&table=regions');
  expect([response.status, await response.text()]).toEqual([400, '“table” is given twice.\n']);
});

it('an unknown page gives an error page', async () => {
  const response = await explorer.get('/absent');
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('There is no such page');
});

/** Markup of texts back to texts. */
function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Line ends outside quotes. */
function recordsIn(csv: string): number {
  return csv.replace(/"(?:[^"]|"")*"/g, '').split('\r\n').length - 1;
}
