import { describe, expect, it } from 'vitest';
import { insert } from '../../support/insert.ts';
import { abandoned } from '../added-rows.ts';
import { book, useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

describe('operations', () => {
  it('the last night shows what it listed and cost, and the heading counts nights that are not complete', async () => {
    const html = await explorer.page('/operations');
    const [last] = await explorer.ask<{ products_listed: number; requests_spent: number }>(
      `select products_listed, requests_spent from marts.snapshot
       where region = 'uk' order by snapshot_date desc limit 1`,
    );
    expect(html).toContain(`<dt>Listed</dt><dd>${last!.products_listed} products</dd>`);
    expect(html).toContain(
      `<dt>Last night, without searches</dt><dd>${last!.requests_spent} requests, free (simulated)</dd>`,
    );
    expect(html).toContain('<h1>2 of 6 nights are not complete</h1>');
  });

  it('a listing shows what it has spent, its quota and the next night', async () => {
    const html = await explorer.page('/operations');
    expect(html).toContain('of 10,000 requests');
    expect(html).toContain('Cost so far: free (simulated)');
    expect(html).toContain('<dt>Next night</dt><dd>11 June 2026 at 02:00 (Europe/London)</dd>');
  });

  it('missed nights are listed, and that the list may be incomplete', async () => {
    const missed = async () => /kind=missed">Missed nights<\/a>: ([^<]*)</.exec(await explorer.page('/operations'))![1];
    expect(await missed()).toBe('2026-06-05');
    await insert(explorer.db, 'ops.run', [abandoned('2026-05-29')]);
    expect(await missed()).toBe('2026-06-05, 2026-06-03, 2026-06-02, 2026-06-01, 2026-05-31 and possibly earlier ones');
  });
});

describe('a night', () => {
  it('a night shows requests, declared and received counts, and the reason for the verdict', async () => {
    const html = await explorer.page(`/night?region=uk&date=${book.partialNight}`);
    expect(html).toContain('<h1>The night of 8 June 2026 in the United Kingdom is partial</h1>');
    expect(html).toContain('<li>Bakery: 2 of 9 pages could not be read</li>');
    expect(html).toContain('2 of 40 changed products cost about a hundred times as much or as little as before');
    expect(await explorer.page(/href="(\/quarantine\?run=\d+)"/.exec(html)![1]!)).toContain('&lt;b>free&lt;/b>');
    const [judged] = await explorer.ask<Record<string, number>>(
      `select requests_spent, distinct_products, (select sum(missing_products)::int from marts.certificate_category c
         where c.run_id = certificate.run_id and not is_sample) as missing
       from marts.certificate where region = 'uk' and snapshot_date = '${book.partialNight}'`,
    );
    expect(html).toContain(`${judged!['requests_spent']} requests`);
    expect(html).toContain(`${judged!['distinct_products']} distinct products`);
    expect(html).toContain(`<dt>Missing</dt><dd><span class="real">✓</span> ${judged!['missing']} declared products<`);
  });

  it('the calendar leads to each night, and a night that there is not gives 404', async () => {
    const html = await explorer.page('/operations');
    expect(html).toMatch(/class="overstated" href="\/night\?region=uk[^"]*" aria-label="8 Jun 2026: partial"/);
    expect(html).toMatch(/kind=missed" aria-label="5 Jun 2026: missed/);
    const [run] = await explorer.ask<{ id: number }>(
      `select run_id as id from marts.snapshot where region = 'ie' and snapshot_date = '${book.lastNight}'`,
    );
    const statusOf = async (more: string) => (await explorer.get(`/night?run=${run!.id}&${more}`)).status;
    expect(await statusOf(`region=ie&date=${book.lastNight}`)).toBe(200);
    expect(await statusOf(`region=ie&date=${book.firstNight}`)).toBe(404);
    expect(await statusOf(`region=uk&date=${book.lastNight}`)).toBe(404);
  });
});
