import { describe, expect, it } from 'vitest';
import { nextNight } from '../../../src/web/next-night.ts';
import { longDate } from '../../../src/web/words.ts';
import { book, useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

describe('operations', () => {
  it('the overview compares the last certified night with the previous one, with the values of the marts', async () => {
    const html = await (await explorer.get('/operations')).text();
    const [last, before] = await explorer.ask<{ products_listed: number; snapshot_date: string }>(
      `select snapshot_date, products_listed from marts.fct_region_daily where region = 'uk' order by 1 desc limit 2`,
    );
    expect(last!.snapshot_date).toBe(book.lastNight);
    const difference = last!.products_listed - before!.products_listed;
    const words = difference === 0 ? 'as many as' : `${Math.abs(difference)} ${difference > 0 ? 'more' : 'fewer'} than`;
    expect(html).toContain(
      `<p class="big">${last!.products_listed}</p><p>products listed in the night of ` +
        `${longDate(last!.snapshot_date)}, ${words} on ${longDate(before!.snapshot_date)}</p>`,
    );
    expect(html).toContain('<h1>1 of 10 nights of both regions is not complete</h1>');
    expect(html).toContain('no product counts as gone');
  });

  it('the calendar marks each night by its certificate, also in words', async () => {
    const html = await (await explorer.get('/operations')).text();
    expect(html).toContain(`<title>${longDate(book.partialNight)}: partial</title>`);
    expect(html).toContain(`<title>${longDate(book.lastNight)}: complete</title>`);
    expect(html).toMatch(/no night|partial: 1/);
  });

  it('the overview lists missed nights and states when the list may be incomplete', async () => {
    const missed = async () =>
      /certificate=missed">Missed nights<\/a>: ([^<]*)</.exec(await (await explorer.get('/operations')).text())![1];
    expect(await missed()).toBe('2026-06-05');
    await explorer.db.query(
      `insert into ops.missed_night (region, snapshot_date, noticed_at)
       select 'ie', date '2026-05-30' + i, now() from generate_series(0, 5) i`,
    );
    expect(await missed()).toBe('2026-06-05, 2026-06-04, 2026-06-03, 2026-06-02, 2026-06-01 and possibly earlier ones');
  });

  it('the overview shows the start of the next night in the time zone of the region', () => {
    const at = { hour: 2, minute: 0 };
    expect(nextNight('uk', new Date('2026-06-10T00:30:00Z'), at)).toBe('10 June 2026 at 02:00 (Europe/London)');
    expect(nextNight('uk', new Date('2026-06-10T01:00:00Z'), at)).toBe('11 June 2026 at 02:00 (Europe/London)');
    expect(nextNight('ie', new Date('2026-12-31T02:30:00Z'), at)).toBe('1 January 2027 at 02:00 (Europe/Dublin)');
  });
});
