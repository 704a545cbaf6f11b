import { gzipSync } from 'node:zlib';
import { decodeHTML } from 'entities/decode';
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
      expect(html.match(/<details class="tell">/g)).toHaveLength(1);
      expect(html).toContain('Prices of the night of 10 June 2026');
    }
  });

  it('a first visit takes at most 40 KB compressed, with at most 15 KB of scripts', async () => {
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
      expect(gzipSync(html).length + scripts + others).toBeLessThan(40 * 1024);
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

  it('each statement of a page runs unchanged as bi_reader, and each format of its question answers', async () => {
    for (const address of await addressesOf(path)) {
      const html = await (await explorer.get(address)).text();
      const statements = [...html.matchAll(/<pre>([\s\S]*?)<\/pre>/g)].map(([, statement]) => decodeHTML(statement!));
      expect([address, statements.length]).not.toEqual([address, 0]);
      for (const statement of statements) await explorer.ask(statement);
      const [, ways = ''] = /<p class="ways">([\s\S]*?)<\/p>/.exec(html)!;
      const formats = [...ways.matchAll(/href="([^"]+)"/g)].map(([, href]) => decodeHTML(href!));
      expect(formats).toHaveLength(4);
      for (const href of formats) expect([href, (await explorer.get(href)).status]).toEqual([href, 200]);
    }
  });

  it('a page refuses an invalid parameter in one line', async () => {
    const asked = await explorer.get(`${path}?nonsense=1`);
    expect(asked.status).toBe(400);
    expect(await asked.text()).toContain('“nonsense” is not known here.');
  });

  it('a page states in a sentence that an empty database has nothing to show', async () => {
    for (const address of await addressesOf(path)) {
      const response = await empty.get(address);
      const html = await response.text();
      // What the address names is not there, or no night of both regions; the others leave it out of their rows.
      const names = /^\/(night|uk-ireland)\?|[?&](products?|category|items)=/;
      const isAbsent = names.test(address) && path !== '/compare';
      expect([address, response.status]).toEqual([address, isAbsent ? 404 : 200]);
      expect(html).toMatch(/class="(error|none)"|Search above/);
      expect(html).toContain('United Kingdom: no complete night yet');
    }
  });
});

it('an unknown page gives an error page', async () => {
  const response = await explorer.get('/absent');
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('There is no such page');
});
