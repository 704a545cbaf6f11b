import { expect, it } from 'vitest';
import { forgetDerived } from '../../../src/followers/derive/derive-nights.ts';
import { verdictNumbers, verdictOf } from '../../../src/web/prior-price.ts';
import { book, useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';

const explorer = useExplorer();

const csv = async (address: string) => readCsv(await (await explorer.get(address)).text());

it('the start page lists what moved on the last night, and says how many products did', async () => {
  const html = await (await explorer.get('/')).text();
  const [night] = await explorer.ask<{ price_increases: number; price_decreases: number }>(
    `select price_increases, price_decreases from marts.fct_region_daily
     where region = 'uk' and snapshot_date = '${book.lastNight}'`,
  );
  expect(html).toContain(`<span class="up">${night!.price_increases}</span>`);
  expect(html).toContain(`<span class="down">${night!.price_decreases}</span>`);
  for (const [table, direction] of [
    ['dearer', 'rises'],
    ['cheaper', 'falls'],
  ]) {
    const shown = (await csv(`/home.csv?table=${table}`)).map((row) => row['product_id']);
    const moved = (await csv(`/movers.csv?direction=${direction}`)).map((row) => row['product_id']);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual(moved.slice(0, 5));
  }
});

it('the start page compares over the nights that the book has, with labels that differ', async () => {
  const html = await (await explorer.get('/')).text();
  expect(html).toContain('<dt>United Kingdom, 4 nights</dt>');
  expect(html).not.toContain('30 nights</dt>');
  const labels = [...html.matchAll(/<text class="y"[^>]*>([^<]+)/g)].map(([, label]) => label);
  expect(labels.length).toBeGreaterThan(2);
  expect(new Set(labels).size).toBe(labels.length);
});

it('the start page of Ireland keeps to Ireland, also in its links', async () => {
  const html = await (await explorer.get('/?region=ie')).text();
  expect(html).toContain('href="/movers?region=ie"');
  expect(html).toContain('name="region" value="ie"');
  expect((await csv('/home.csv?table=dearer&region=ie')).every((row) => row['region'] === 'ie')).toBe(true);
});

it('a line of a product has the certified prices of the last 90 nights and its change in 30', async () => {
  const { tables } = (await (await explorer.get('/api/v1/home')).json()) as {
    readonly tables: { readonly dearer: { readonly rows: Record<string, string | null>[] } };
  };
  const [line] = tables.dearer.rows;
  const spells = JSON.parse(line!['history']!) as [string, string | null, number, number][];
  const expected = await explorer.ask<{ valid_from: string; valid_to: string | null; price: string; paid: string }>(
    `select valid_from::text, valid_to::text, price, least(price, loyalty_price) as paid from marts.fct_price_spell
     where region = 'uk' and product_id = '${line!['product_id']}' order by 1`,
  );
  expect(spells).toEqual(expected.map((row) => [row.valid_from, row.valid_to, Number(row.price), Number(row.paid)]));
  // The book has no night that long ago.
  expect(line!['change_30_pct']).toBeNull();
});

it('an offer is labelled with both percentages where they differ, and says only what is in its text', () => {
  const label = (verdict: string | null, says: string | null, is: string | null) =>
    verdictNumbers(verdictOf(verdict), says, is);
  expect(label('overstated', '22', '6.04')).toBe('✕ looks like 22%, is 6%');
  expect(label('no reduction', '17.2', '-3')).toBe('✕ looks like 17%, is 0%');
  expect(verdictNumbers('overstated', '22', '6.04', true)).toBe('✕ says 22%, is 6%');
  expect(label('overstated', '50', '50')).toBe('✕ overstated');
  expect(label('real', '59', '59.4')).toBe('✓ 59% less');
  expect(label('too early to tell', '10', null)).toBe('too early to tell');
  expect(label(null, null, null)).toBe('nothing to check');
});

// Last test of the file, because it changes data that the others read.
it('the start page says so while figures are derived, instead of that no price moved', async () => {
  await explorer.db.tx((tx) => forgetDerived(tx, 'uk', '2026-06-07'));
  const html = await (await explorer.get('/')).text();
  expect(html).toContain('<p class="none">The figures of the last night are still being derived.</p>');
  for (const said of ['last night.</p>', 'No offer of this week', 'No pack shrank']) expect(html).not.toContain(said);
});
