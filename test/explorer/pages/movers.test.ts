import { describe, expect, it } from 'vitest';
import { book, useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';

const explorer = useExplorer();

interface Move {
  readonly product_id: string;
  readonly product_key: number;
  readonly old_price: string;
  readonly new_price: string;
  readonly brand: string | null;
}

/** Products with different prices on both nights, computed from all rows. */
function movesBetween(region: string, since: string, until: string): Promise<Move[]> {
  return explorer.ask<Move>(`
    select later.product_id, later.product_key, was.price as old_price, is_now.price as new_price, p.brand
    from marts.fct_price_daily later
    join marts.fct_price_daily earlier using (product_key)
    join marts.dim_product p using (product_key)
    -- What is shown of a product that is not for sale is no offer.
    join marts.fct_price_spell is_now
      on is_now.product_key = later.product_key and is_now.valid_from <= '${until}'
      and (is_now.valid_to is null or is_now.valid_to > '${until}')
    join marts.fct_price_spell was
      on was.product_key = later.product_key and was.valid_from <= '${since}'
      and (was.valid_to is null or was.valid_to > '${since}')
    where later.region = '${region}' and later.snapshot_date = '${until}'
      and earlier.region = '${region}' and earlier.snapshot_date = '${since}' and was.price <> is_now.price`);
}

async function shown(parameters: string) {
  const all: Record<string, string | null>[] = [];
  for (let page = 1; ; page += 1) {
    const rows = readCsv(await (await explorer.get(`/movers.csv?${parameters}&page=${page}`)).text());
    if (rows.length === 0) return all;
    all.push(...rows);
  }
}

const sorted = (
  rows: readonly { product_id?: string | null; old_price?: string | null; new_price?: string | null }[],
) => rows.map((row) => `${row.product_id} ${row.old_price} ${row.new_price}`).sort();

describe('movers', () => {
  it.each([
    ['uk', 'night', '2026-06-09', book.lastNight],
    // A partial night is not compared; the one before it is.
    ['uk', 'night&until=2026-06-09', '2026-06-07', '2026-06-09'],
    ['ie', 'week', book.firstNight, book.lastNight],
    ['uk', 'month', book.firstNight, book.lastNight],
  ])(
    'the movers of %s by %s are the products whose price differs between the two certified nights, each once',
    async (region, period, since, until) => {
      const moves = await movesBetween(region, since, until);
      const rows = await shown(`region=${region}&period=${period}`);
      expect(moves.length).toBeGreaterThan(3);
      expect(sorted(rows)).toEqual(sorted(moves));
      const [nights] = readCsv(
        await (await explorer.get(`/movers.csv?region=${region}&period=${period}&table=nights`)).text(),
      );
      expect(nights).toMatchObject({ since, until });
    },
  );

  it.each([
    ['words', ({ brand }: Move, chosen: Move) => brand === chosen.brand],
    ['price_from', (move: Move, chosen: Move) => Number(move.old_price) >= Number(chosen.old_price)],
  ] as const)('the movers respect the filter %s', async (name, holds) => {
    const moves = await movesBetween('uk', book.firstNight, book.lastNight);
    const chosen = moves
      .filter(({ brand }) => brand !== null)
      .sort((a, b) => Number(a.old_price) - Number(b.old_price))[Math.floor(moves.length / 2)]!;
    const value = name === 'words' ? chosen.brand!.toLowerCase() : chosen.old_price;
    const ids = (await shown(`period=month&${name}=${encodeURIComponent(value)}`)).map(({ product_id }) => product_id);
    const wanted = moves.filter((move) => holds(move, chosen)).map(({ product_id }) => product_id);
    // A brand can stand in titles of others, too.
    expect(ids).toEqual(expect.arrayContaining(wanted));
    if (name === 'price_from') expect(ids.length).toBe(wanted.length);
    expect(ids.length).toBeLessThan(moves.length);
  });

  it('the heading counts the products that became dearer and cheaper, and names the real span', async () => {
    const moves = await movesBetween('uk', book.firstNight, book.lastNight);
    const rises = moves.filter((move) => Number(move.new_price) > Number(move.old_price)).length;
    const [, dearer, cheaper] = /<h1>(\d+) products? became dearer in 4 nights, (\d+) cheaper<\/h1>/.exec(
      await (await explorer.get('/movers?period=month')).text(),
    )!;
    expect([Number(dearer), Number(cheaper)]).toEqual([rises, moves.length - rises]);
  });

  it('the movers compare what members pay if asked to, and keep to it in every link', async () => {
    const [bought] = await explorer.ask<Record<'dearer' | 'cheaper', number>>(`
      select count(*) filter (where later.paid > earlier.paid)::int as dearer,
        count(*) filter (where later.paid < earlier.paid)::int as cheaper
      from (select product_key, coalesce(loyalty_price, price) as paid from marts.fct_price_daily
        where region = 'uk' and snapshot_date = '${book.lastNight}' and price is not null) as later
      join (select product_key, coalesce(loyalty_price, price) as paid from marts.fct_price_daily
        where region = 'uk' and snapshot_date = '${book.firstNight}' and price is not null) as earlier
        using (product_key)`);
    const html = await (await explorer.get('/movers?period=month&basis=member')).text();
    const [, dearer, cheaper] = /<h1>(\d+) products? became dearer for members in 4 nights, (\d+) cheaper/.exec(html)!;
    expect({ dearer: Number(dearer), cheaper: Number(cheaper) }).toEqual(bought);
    expect(html).toContain('href="/movers?period=week&amp;basis=member"');
    const rows = await shown('period=month&basis=member');
    expect(rows.length).toBe(bought!.dearer + bought!.cheaper);
    expect(rows.some(({ new_price, loyalty_price }) => loyalty_price !== null && new_price === loyalty_price)).toBe(
      true,
    );
  });

  it('the movers show the direction by mark and word, and the unit price beside the price', async () => {
    const html = await (await explorer.get('/movers?period=month')).text();
    expect(html).toMatch(/▲<\/span> [\d.]+%<span class="hidden"> more/);
    expect(html).toMatch(/▼<\/span> [\d.]+%<span class="hidden"> less/);
    expect(html).toMatch(/£[\d.]+ → £[\d.]+ \/ (kg|litre|each)/);
  });

  it('both unit prices are as exact as the prices, also where the shop rounds them to a penny', async () => {
    const html = await (await explorer.get('/movers?period=month')).text();
    const rows = await shown('period=month');
    let compared = 0;
    for (const row of rows.filter(({ old_content, new_content }) => old_content === new_content)) {
      const of = html.split('<tr>').find((line) => line.includes(`value="uk:${row['product_id']}"`));
      const unit = of && /<small>£([\d.]+) → £([\d.]+) \//.exec(of);
      if (!unit) continue;
      compared += 1;
      expect(Number(unit[2]) / Number(unit[1])).toBeCloseTo(Number(row['new_price']) / Number(row['old_price']), 1);
    }
    expect(compared).toBeGreaterThan(5);
  });

  it('a moved shelf price stands beside what members pay now, if that is less', async () => {
    const html = await (await explorer.get('/movers?period=month')).text();
    const rows = await shown('period=month');
    const seen = html.split('<tr>').flatMap((line) => {
      const row = rows.find(({ product_id }) => line.includes(`value="uk:${product_id}"`));
      if (!row) return [];
      const { loyalty_price: members, new_price: price } = row;
      const isLess = members !== null && members !== '' && Number(members) < Number(price);
      const said = /£([\d.]+) members now/.exec(line)?.[1];
      expect(said).toBe(isLess ? Number(members).toFixed(2) : undefined);
      return [isLess];
    });
    expect(new Set(seen)).toEqual(new Set([true, false]));
  });

  it('the page explains that the data begin later than the requested night', async () => {
    const begins = 'The data begin on 6 June 2026';
    const page = async (parameters: string) => (await explorer.get(`/movers?${parameters}`)).text();
    expect(await page('period=month')).toContain(`${begins}, less than a month before, so that night is compared.`);
    expect(await page('period=week')).toContain(`${begins}, less than a week before, so that night is compared.`);
    expect(await page('period=night')).not.toContain(begins);
  });

  it('the page states the number of days if the requested night is not certified', async () => {
    const day = new Date(Date.parse(book.partialNight) + 86_400_000).toISOString().slice(0, 10);
    const page = async (parameters: string) => (await explorer.get(`/movers?${parameters}`)).text();
    const said = 'The night of 8 June 2026 is not complete: these are the changes of 2 days.';
    expect(await page(`until=${day}`)).toContain(said);
    expect(await page(`region=ie&until=${day}`)).not.toContain('is not complete: these');
    expect(await page('period=month')).not.toContain('is not complete: these');
  });

  it('the page explains that there are no data up to an early date', async () => {
    const html = await (await explorer.get('/movers?until=2020-01-01')).text();
    expect(html).toContain('The data begin on 6 June 2026: there is no night up to 1 January 2020 to compare.');
    // The page links to another date.
    expect(html).toMatch(/<input[^>]* name="until"[^>]* value="2020-01-01"/);
  });

  it('a page past the last one states that there are no more rows, not that no price changed', async () => {
    const html = await (await explorer.get('/movers?period=month&page=40')).text();
    expect(html.split('There are no more rows.')).toHaveLength(3);
    expect(html).not.toContain('No price changed that way');
  });

  it('there are no movers with a single certified night', async () => {
    const html = await (await explorer.get(`/movers?until=${book.firstNight}`)).text();
    expect(html).toContain('there is no other night to compare it with');
  });
});
