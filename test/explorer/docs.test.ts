import { describe, expect, it } from 'vitest';
import { useExplorer } from './explorer-book.ts';

const explorer = useExplorer('empty');

const linksIn = (html: string) => [...html.matchAll(/ href="(\/docs[^"]*)"/g)].map(([, href]) => href!);

describe('the documentation in the explorer', () => {
  it('every page is reached from the first one, and every link and anchor exists', async () => {
    const pages = new Map<string, string>();
    const waiting = ['/docs'];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (pages.has(path)) continue;
      const response = await explorer.get(path);
      expect([path, response.status]).toEqual([path, 200]);
      pages.set(path, await response.text());
      waiting.push(...linksIn(pages.get(path)!).map((href) => href.replace(/#.*/, '')));
    }
    expect(pages.size).toBeGreaterThan(40);
    const missing = [...pages.values()].flatMap(linksIn).filter((href) => {
      const [path, anchor] = href.split('#');
      return anchor !== undefined && !pages.get(path!)!.includes(` id="${anchor}"`);
    });
    expect([...new Set(missing)]).toEqual([]);
    expect(pages.get('/docs/analyse/accuracy')).toContain('<table>');
  });

  it('an address that is no page is unknown, also if such a file exists elsewhere', async () => {
    for (const path of ['/docs/nothing', '/docs/..%2fpackage.json', '/docs/%2e%2e/package.json', '/docs/README.md']) {
      expect([path, (await explorer.get(path)).status]).toEqual([path, 404]);
    }
  });
});
