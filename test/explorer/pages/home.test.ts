import { expect, it } from 'vitest';
import { book, useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();
const empty = useExplorer('empty');

it('the start page lists what moved on the last night, and says how many products did', async () => {
  const html = await explorer.page('/');
  const [night] = await explorer.ask<{ price_increases: number; price_decreases: number }>(
    `select price_increases, price_decreases from marts.fct_region_daily
     where region = 'uk' and snapshot_date = '${book.lastNight}'`,
  );
  expect(html).toContain(`<span class="up">${night!.price_increases}</span>`);
  expect(html).toContain(`<span class="down">${night!.price_decreases}</span>`);
  for (const [title, direction] of [
    ['Dearer last night', 'rises'],
    ['Cheaper last night', 'falls'],
  ]) {
    const [card] = html.slice(html.indexOf(`<h2>${title}</h2>`)).split('</section>');
    const shown = [...card!.matchAll(/name="items" value="(\d+)"/g)].map(([, id]) => id);
    const moved = (await explorer.rows('movers', `direction=${direction}`)).map((row) => row['product_id']);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual(moved.slice(0, 5));
  }
});

it('the start page of Ireland keeps to Ireland, also in its links', async () => {
  const html = await explorer.page('/?region=ie');
  expect(html).toContain('href="/movers?region=ie"');
  expect(html).toContain('name="region" value="ie"');
  expect(html).not.toMatch(/<main.*href="\/product\?region=uk.*<\/main>/s);
});

it('the start page compares no nights before there are two', async () => {
  const [, html] = (await empty.page('/')).split('<main');
  expect(html).toContain('No night is complete yet.');
  expect(html).not.toMatch(/last night|this week|last quarter/);
});
