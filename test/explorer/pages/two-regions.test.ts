import { describe, expect, it } from 'vitest';
import { share } from '../../../src/web/kernel/words.ts';
import { book, useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

const articles = (parameters = '') => explorer.rows('compare', parameters);

describe('the United Kingdom and Ireland', () => {
  it('products are compared by words of the British title', async () => {
    const gaps = await explorer.ask<{ uk_product_id: string; uk_title: string; priced: boolean }>(`
      select uk_product_id, uk_title, coalesce(uk_price > 0 and ie_price > 0, false) as priced
      from marts.fct_region_gap where snapshot_date = '${book.lastNight}' order by 3 desc, 1`);
    // The name of the goods rather than of a brand, not in the plural, which also finds the singular.
    const wordsOf = (title: string) => title.toLowerCase().split(/[^a-z]+/);
    const word = wordsOf(gaps[0]!.uk_title).findLast((one) => /^.{3,}[^s]$/.test(one))!;
    const listed = await articles(`match=all&words=${word}`);
    const expected = gaps.filter(({ uk_title }) => wordsOf(uk_title).some((one) => one.startsWith(word)));
    expect(expected.length).toBeLessThan(gaps.length);
    expect(listed.map(({ uk_product_id }) => uk_product_id).sort()).toEqual(
      expected.map(({ uk_product_id }) => uk_product_id).sort(),
    );
    const number = expected.filter(({ priced }) => priced).length;
    expect(await explorer.page(`/uk-ireland?match=all&words=${word}`)).toContain(
      `<h1>Of ${number} product${number === 1 ? '' : 's'} with “${word}” likely sold in both, `,
    );
    expect(await articles('words=zzzz')).toEqual([]);
  });

  it('the heading says how many products are dearer in Ireland, and by how much', async () => {
    const gaps = await explorer.ask<{ gap: number }>(`
      select gap_pct::float8 as gap from marts.fct_region_gap
      where snapshot_date = '${book.lastNight}' and uk_price > 0 and ie_price > 0 and tier < 3`);
    const part = (holds: (gap: number) => boolean) =>
      share((100 * gaps.filter(({ gap }) => holds(gap)).length) / gaps.length);
    const logs = gaps.filter(({ gap }) => gap >= -90 && gap <= 900).map(({ gap }) => Math.log(1 + gap / 100));
    const average = 100 * (Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length) - 1);
    const html = await explorer.page('/uk-ireland');
    expect(html).toContain(
      `<h1>Of ${gaps.length} products sold in both, ${part((gap) => gap > 1)} are dearer in Ireland and ` +
        `${part((gap) => gap < -1)} cheaper; ${share(average)} ${average > 0 ? 'dearer' : 'cheaper'} on average</h1>`,
    );
  });

  it('matches by name are only likely, and are compared only on request', async () => {
    expect(new Set((await articles()).map(({ match_label }) => match_label))).toEqual(
      new Set(['same barcode', 'same base number']),
    );
    const likely = await articles('match=likely');
    expect(new Set(likely.map(({ tier, match_label }) => `${tier} ${match_label}`))).toEqual(
      new Set(['3 likely, by name']),
    );
    expect((await articles('match=all')).length).toBe((await articles()).length + likely.length);
    expect(await explorer.page('/uk-ireland')).not.toContain('likely, by name');
    expect(await explorer.page('/uk-ireland?match=likely')).toMatch(/<h1>Of \d+ products likely sold in both, /);
  });

  it('coverage and precision stand beside the figures', async () => {
    const before = book.firstNight;
    const [all] = await explorer.ask<Record<string, number>>(`
      select 100.0 * count(*) / max(uk.products_listed) as uk, 100.0 * count(*) / max(ie.products_listed) as ie
      from marts.fct_region_gap gap, marts.fct_region_daily uk, marts.fct_region_daily ie
      where (uk.region, uk.snapshot_date, ie.region, ie.snapshot_date)
          = ('uk', gap.snapshot_date, 'ie', gap.snapshot_date)
        and gap.snapshot_date = '${before}' and tier = 1 and uk_price > 0 and ie_price > 0`);
    const html = await explorer.page(`/uk-ireland?match=barcode&date=${before}`);
    expect(html).toContain(
      `${share(all!['uk'])} of the products listed in the UK, and ${share(all!['ie'])} of those in Ireland`,
    );
    expect(html).toMatch(/At least 99% of such matches are right/);
  });

  it('without an exchange rate nothing is called dearer, and a new rate changes the page', async () => {
    expect(await explorer.page('/uk-ireland')).toContain('£0.86 for a euro (6 June 2026).');
    const tag = (await explorer.get('/uk-ireland')).headers.get('etag')!;
    const again = async () => (await explorer.get('/uk-ireland', { 'if-none-match': tag })).status;
    expect(await again()).toBe(304);
    await explorer.db.query('create table kept as table ops.fx_rate; delete from ops.fx_rate');
    expect(await again()).toBe(200);
    expect(await explorer.page('/uk-ireland')).toMatch(
      /<h1>\d+ products sold in both; no exchange rate is known<\/h1>/,
    );
    await explorer.db.query('insert into ops.fx_rate table kept; drop table kept');
  });
});
