import { describe, expect, it } from 'vitest';
import { deriveNights, forgetDerived } from '../../../src/followers/derive/derive-nights.ts';
import { book, useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';

const explorer = useExplorer();

const csv = async (parameters: string) => readCsv(await (await explorer.get(`/promotions.csv?${parameters}`)).text());

async function allPages(parameters: string) {
  const all: Record<string, string | null>[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await csv(`${parameters}&page=${page}`);
    if (rows.length === 0) return all;
    all.push(...rows);
  }
}

const idsOf = (rows: readonly { product_id?: unknown; description?: unknown }[]) =>
  rows.map((row) => `${row.product_id} ${row.description}`).sort();

describe('promotions', () => {
  it.each(['any', 'fail', 'pass', 'not_enough_nights', 'none'])(
    'with the prior price %s are those of the mart',
    async (check) => {
      const verdict =
        check === 'any' ? 'true' : check === 'none' ? 'prior_price_check is null' : `prior_price_check = '${check}'`;
      const expected = await explorer.ask(`
      select product_id, description from marts.fct_promotion_check
      where region = 'uk' and snapshot_date between '2026-06-09' and '${book.lastNight}' and ${verdict}`);
      const rows = await allPages(`region=uk&nights=2&check=${check}`);
      expect(idsOf(rows)).toEqual(idsOf(expected));
      // Five nights cannot pass what needs thirty.
      if (check === 'pass') expect(rows).toEqual([]);
      else if (check === 'any') expect(rows.length).toBeGreaterThan(0);
    },
  );

  it('are counted by verdict and by depth as they stand one by one', async () => {
    const rows = await allPages('nights=31');
    const verdicts = await csv('nights=31&table=verdicts');
    const depths = await csv('nights=31&table=depths');
    const sum = (table: typeof rows) => table.reduce((all, row) => all + Number(row['promotions']), 0);
    expect(rows.length).toBeGreaterThan(10);
    expect([sum(verdicts), sum(depths)]).toEqual([rows.length, rows.length]);
    for (const { prior_price_check, prior_price_reason, promotions } of verdicts) {
      const same = rows.filter(
        (row) => row['prior_price_check'] === prior_price_check && row['prior_price_reason'] === prior_price_reason,
      );
      expect(same.length).toBe(Number(promotions));
    }
    const deep = rows.filter(
      (row) => row['announced_pct'] !== null && Number(row['announced_pct']) >= 20 && Number(row['announced_pct']) < 30,
    );
    expect(Number(depths.find(({ depth_from }) => depth_from === '20')?.['promotions'] ?? 0)).toBe(deep.length);
  });

  it('are counted within a category as over all its products one by one', async () => {
    const [biggest] = await explorer.ask<{ key: number }>(`
      select category_key as key from marts.product_category_now where region = 'uk' group by 1 order by count(*) desc, 1 limit 1`);
    const within = `nights=31&category=${biggest!.key}`;
    const rows = await allPages(within);
    expect(rows.length).toBeGreaterThan(5);
    for (const table of ['verdicts', 'depths']) {
      const counted = await csv(`${within}&table=${table}`);
      expect(counted.reduce((all, { promotions }) => all + Number(promotions), 0)).toBe(rows.length);
    }
  });

  it.each([
    ['deepest', 'announced_pct desc nulls last'],
    ['least', 'real_pct nulls last'],
  ])('%s first are in the order of the mart, page after page', async (sort, order) => {
    const expected = await explorer.ask<{ row: string }>(`
      select product_id || ' ' || description as row from marts.fct_promotion_check
      where region = 'uk' order by ${order}, product_key, promotion_key`);
    expect(
      (await allPages(`nights=31&sort=${sort}`)).map((row) => `${row['product_id']} ${row['description']}`),
    ).toEqual(expected.map(({ row }) => row));
  });

  it('without a depth are a line of their own, and none of the deepest', async () => {
    const [expected] = await explorer.ask<{ unknown: string; deepest: string }>(`
      select count(*) filter (where reduced_price / nullif(reference_price, 0) is null) as unknown,
        count(*) filter (where 1 - reduced_price / nullif(reference_price, 0) >= 0.7) as deepest
      from marts.fct_promotion_check where region = 'uk' and snapshot_date > '2000-01-01'`);
    const depths = await csv('nights=31&table=depths');
    const promotionsFrom = (from: string | null) =>
      Number(depths.find(({ depth_from }) => depth_from === from)?.['promotions'] ?? 0);
    expect(Number(expected!.unknown)).toBeGreaterThan(0);
    expect(promotionsFrom(null)).toBe(Number(expected!.unknown));
    expect(promotionsFrom('70')).toBe(Number(expected!.deepest));
    expect(await (await explorer.get('/promotions?nights=31')).text()).toContain('<td>no depth known</td>');
  });

  it('that run still, and those that are over, are all of them', async () => {
    const [all, running, over] = await Promise.all(
      ['any', 'yes', 'no'].map((one) => allPages(`nights=31&running=${one}`)),
    );
    expect(idsOf([...running!, ...over!])).toEqual(idsOf(all!));
    expect(running!.every(({ ended_on }) => ended_on === null || ended_on! > book.lastNight)).toBe(true);
  });

  it('now are the departments’ figures of the last certified night, and the calendar the mart’s weeks', async () => {
    const now = await csv('region=ie&table=now');
    expect(now.map(({ path, products_on_promotion }) => [path, Number(products_on_promotion)])).toEqual(
      (
        await explorer.ask<{ path: string; products_on_promotion: number }>(`
          select path, products_on_promotion from marts.fct_category_daily
          where region = 'ie' and snapshot_date = '${book.lastNight}' and depth = 0 and products_listed > 0 order by path`)
      ).map(({ path, products_on_promotion }) => [path, products_on_promotion]),
    );
    const weeks = await csv('region=ie&table=calendar');
    expect(weeks.map(({ share_on_promotion_pct }) => share_on_promotion_pct)).toEqual(
      (
        await explorer.ask<{ share: string }>(`
          select share_on_promotion_pct as share from marts.fct_promotion_calendar
          where region = 'ie' and category_key is null order by week_starts_on desc`)
      ).map(({ share }) => share),
    );
  });

  it('that fail say which price of which night stands against them, here and on the page of the product', async () => {
    const failed = await allPages('nights=31&check=fail');
    expect(failed.length).toBeGreaterThan(0);
    for (const row of failed.filter(({ basis }) => basis === 'price')) {
      const [night] = await explorer.ask<{ date: string }>(`
        select max(d.snapshot_date)::text as date
        from marts.fct_promotion_check c join marts.fct_price_daily d using (product_key)
        join marts.snapshot n on n.region = 'uk' and n.snapshot_date = d.snapshot_date
        where c.region = 'uk' and c.product_id = '${row['product_id']}' and c.snapshot_date = '${row['snapshot_date']}'
          and c.description = '${row['description']!.replaceAll("'", "''")}' and d.price = c.prior_price
          and n.certificate <> 'partial' and d.snapshot_date < c.series_began_on`);
      expect(row['prior_price_on']).toBe(night!.date);
    }
    const [first] = failed;
    const why = /✗ fail: [^<]*£[\d.]+[^<]* on 2026-06-\d\d</;
    expect(await (await explorer.get('/promotions?nights=31&check=fail')).text()).toMatch(why);
    expect(await (await explorer.get(`/product?region=uk&id=${first!['product_id']}`)).text()).toMatch(why);
  });

  it('say once that the book is too short for a pass, and what the announced percentage is taken from', async () => {
    const html = await (await explorer.get('/promotions')).text();
    expect(html.split(`The book begins on ${book.firstNight}.`).length - 1).toBe(1);
    expect(html).toContain('began before 2026-07-06 can pass.');
    expect(html).toContain('Off the reference price');
  });

  it('say a verdict in words and with a mark', async () => {
    const html = await (await explorer.get('/promotions?nights=31')).text();
    expect(html).toContain('? not enough nights');
    expect(html).toMatch(/▼ −[\d.]+ %/);
  });

  it('are those of the night before while a night is published and not yet derived, with the form of filters', async () => {
    const last = () => csv('table=now');
    const before = await last();
    expect(before[0]!['snapshot_date']).toBe(book.lastNight);
    await explorer.db.tx((tx) => forgetDerived(tx, 'uk', book.lastNight));
    const html = await (await explorer.get('/promotions')).text();
    expect(html).toContain('action="/promotions"');
    expect((await last())[0]!['snapshot_date']).toBe('2026-06-09');
    await deriveNights(explorer.db, 'uk');
    expect(await last()).toEqual(before);
  });

  it('without an end, of a product that is gone, say so', async () => {
    const [carried] = await explorer.ask<{ promotion_key: number; product_key: number }>(
      `select promotion_key, product_key from marts.fct_promotion_check
       where region = 'uk' and ended_on > '${book.lastNight}' order by snapshot_date desc, product_key, promotion_key limit 1`,
    );
    const { promotion_key: promotion, product_key: product } = carried!;
    await explorer.db.query('update catalog.promotion set ends_at = null where promotion_key = $1', [promotion]);
    const page = async () => (await explorer.get('/promotions?nights=31&running=yes')).text();
    expect(await page()).not.toContain('the product is gone');
    await explorer.db.query(`update catalog.product_current set availability = 'delisted' where product_key = $1`, [
      product,
    ]);
    expect(await page()).toContain('the product is gone');
  });

  it('keep the form of filters where nothing passes them', async () => {
    const [gone] = await explorer.ask<{ category_key: number }>(
      `select category_key from marts.dim_category where region = 'uk' and label = 'shelf' limit 1`,
    );
    await explorer.db.query('delete from derived.daily_figure where category_key = $1', [gone!.category_key]);
    await explorer.db.query('delete from catalog.product_category where category_key = $1', [gone!.category_key]);
    const html = await (await explorer.get(`/promotions?category=${gone!.category_key}`)).text();
    expect(html).toContain('action="/promotions"');
  });
});
