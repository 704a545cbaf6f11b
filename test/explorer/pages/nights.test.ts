import { describe, expect, it } from 'vitest';
import { book, useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';

const explorer = useExplorer();

const csv = async (address: string) => readCsv(await (await explorer.get(address)).text());

describe('nights', () => {
  it('the list has all judged and all missed nights, newest first', async () => {
    const rows = await csv('/nights.csv');
    const [{ judged, missed }] = (await explorer.ask<{ judged: string; missed: string }>(`
      select (select count(*) from marts.certificate) as judged,
        (select count(*) from marts.missed_night) as missed`)) as [{ judged: string; missed: string }];
    expect(rows.filter(({ run_id }) => run_id !== null).length).toBe(Number(judged));
    expect(rows.filter(({ status }) => status === 'missed').length).toBe(Number(missed));
    const dates = rows.map(({ snapshot_date }) => snapshot_date);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  it.each([
    ['certified', 9],
    ['partial', 1],
    ['missed', 1],
    ['unpublished', 0],
  ])('the filter %s shows %i nights', async (certificate, nights) => {
    expect(await csv(`/nights.csv?certificate=${certificate}`)).toHaveLength(nights);
  });
});

describe('the page of nights', () => {
  it('lists the nights that are not complete, and folds the list of all unless a filter is set', async () => {
    const lacking = await csv('/nights.csv?table=lacking');
    expect(lacking.map(({ status, certificate }) => [status, certificate])).toEqual(
      (await csv('/nights.csv'))
        .filter(({ status, certificate }) => status !== 'published' || certificate === 'partial')
        .map(({ status, certificate }) => [status, certificate]),
    );
    expect(lacking).toHaveLength(2);
    const read = async (address: string) => (await explorer.get(address)).text();
    expect(await read('/nights')).toContain('<summary>All nights, newest first as a table</summary>');
    expect(await read('/nights?certificate=partial')).not.toContain('as a table</summary>');
  });
});

describe('a night', () => {
  it('a night shows requests, declared and received counts, and the reason for the verdict', async () => {
    const html = await (await explorer.get(`/night?date=${book.partialNight}`)).text();
    expect(html).toContain('<h1>Night of 8 June 2026, United Kingdom</h1>');
    expect(html).toContain('<a href="/nights">Nights</a>');
    expect(html).toContain('! partial');
    expect(html).toContain('<li>Bakery: 2 of 9 pages could not be read</li>');
    expect(html).toContain('2 prices moved by more than a factor of four.');
    expect(html).toContain('&lt;b>free&lt;/b>');
    const [judged] = await explorer.ask<Record<string, number>>(`
      select c.run_id, c.requests_spent, c.distinct_products, k.declared
      from marts.certificate c
      cross join (select sum(declared_last)::int as declared from marts.certificate_category
        where not is_sample
          and run_id
            = (select run_id from marts.snapshot where region = 'uk' and snapshot_date = '${book.partialNight}')) as k
      where c.region = 'uk' and c.snapshot_date = '${book.partialNight}'`);
    expect(judged!['requests_spent']).toBeGreaterThan(0);
    expect(html).toContain(`${judged!['requests_spent']} requests`);
    expect(html).toContain(`${judged!['distinct_products']} distinct products`);
    expect(html).toContain(`<dd>${judged!['declared']} products; a product in several categories counts in each</dd>`);
    expect(html).toContain('<code>pricebook doctor</code>');
  });

  it('a run of another region or night gives 404', async () => {
    const [run] = await explorer.ask<{ id: number }>(
      `select run_id as id from marts.snapshot where region = 'ie' and snapshot_date = '${book.lastNight}'`,
    );
    const statusOf = async (more: string) => (await explorer.get(`/night?run=${run!.id}&${more}`)).status;
    expect(await statusOf(`region=ie&date=${book.lastNight}`)).toBe(200);
    expect(await statusOf('region=ie')).toBe(200);
    expect(await statusOf(`region=ie&date=${book.firstNight}`)).toBe(404);
    expect(await statusOf(`region=uk&date=${book.lastNight}`)).toBe(404);
  });

  it('a night links to the adjacent nights', async () => {
    const html = await (await explorer.get('/night?date=2026-06-09')).text();
    expect(html).toContain(`/night?region=uk&amp;date=${book.partialNight}`);
    expect(html).toContain(`/night?region=uk&amp;date=${book.lastNight}`);
  });
});

describe('listings', () => {
  it('listings show the plan, the last error and the deadline for leaving a host', async () => {
    await explorer.db.query(
      `insert into ops.listing (listing, host, last_key, last_error, last_error_at)
       values ('property_1', $1, 'print', 'the key is refused <403>', '2026-06-10T19:00:00Z')
       on conflict (listing) do update set
         host = excluded.host, last_key = excluded.last_key, last_error = excluded.last_error`,
      ['property-1-old.simulator'],
    );
    await explorer.db.query(
      `insert into ops.stop (scope, scope_id, listing, reason, since, until)
       values ('key', 'print', 'property_1', 'key_refused', '2026-06-10T19:00:00Z', '2026-06-11T00:00:00Z')`,
    );
    const html = await (await explorer.get('/requests')).text();
    expect(html).toContain('of 10,000 requests');
    expect(html).toMatch(/<h1>[\d,]+ requests on \d+ days?<\/h1>/);
    expect(html).not.toMatch(/>Spend|>Remaining</);
    expect(html).toContain('Cost unknown: no plan is configured.');
    expect(html).toContain('✗ denied, paused until 11 Jun 2026, 00:00 UTC');
    expect(html).toContain('the key is refused &lt;403>');
    expect(html).toMatch(/\d{4}-\d\d-\d\d, (in [\d,]+ days?|[\d,]+ days? ago)/);
  });
});
