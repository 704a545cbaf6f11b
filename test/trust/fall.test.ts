import { describe, expect, test } from 'vitest';
import { releaseRun } from '../../src/publish/release.ts';
import type { FaultRule } from '../../src/simulator/index.ts';
import { disagreements } from '../support/truth.ts';
import { availabilities, type BookUnderTest, codesOf, saidGone, useDirectBook } from './use-direct-book.ts';

const firstNight = '2026-03-01';
const supermarket = { items: 240, superDepartments: 3 } as const;
const still = { ...supermarket, evolve: false } as const;
/** A real fall: neither listed nor known by their own pages. */
const real = { withdrawn: 0.27 } as const;
/** A false one: listed nowhere, in no total, and for sale by their own pages. */
const unlisted: FaultRule = { kind: 'unlisted', share: 0.27 };
const falsely = { faults: [unlisted] } as const;
/** No product can be requested by id. */
const silent: FaultRule = { kind: 'gateway404', endpoint: 'product-details' };

describe('a fall of 27 %', () => {
  const trust = useDirectBook(still, { firstNight });

  test('a fall that products’ own pages confirm is certified with the reason', async () => {
    const listed = await count(trust, '2026-03-01');
    const run = await trust.night('2026-03-02', real);
    expect([run.status, run.verdict]).toEqual(['published', 'complete_within_tolerance']);
    const gone = listed - (await count(trust, '2026-03-02'));
    expect(gone).toBeGreaterThan(50);
    expect(await codesOf(trust, run.runId)).toEqual(['fell_proven']);
    expect(await saidGone(trust.book.base.db)).toBe(gone);
    expect(await disagreements(trust.book.base.db, trust.simulator, 'uk', '2026-03-02')).toEqual([]);

    for (const date of ['2026-03-03', '2026-03-04']) {
      expect((await trust.night(date, real)).verdict).toBe('complete');
      expect(await disagreements(trust.book.base.db, trust.simulator, 'uk', date)).toEqual([]);
    }
    expect((await availabilities(trust.book.base.db))['delisted']).toBe(gone);
  });

  test('a fall that a person released is the measure of the nights after it', async () => {
    const run = await trust.night('2026-03-02', falsely);
    await releaseRun(trust.book.context, { runId: run.runId, why: 'the range was cut' });
    const next = await trust.night('2026-03-03', falsely);
    expect(await codesOf(trust, next.runId)).toContain('fell_released');
    expect(next.verdict).toBe('complete_within_tolerance');
    expect(await saidGone(trust.book.base.db)).toBeGreaterThan(50);
    expect((await trust.night('2026-03-04', falsely)).verdict).toBe('complete');
  });
});

describe('a fall of 27 % where no product can be requested', () => {
  const trust = useDirectBook({ ...supermarket, dailyTurnover: 0, flicker: 0, dailyChange: 0.05 }, { firstNight });

  test('such a fall is partial for three nights, and believed on the fourth without a person', async () => {
    for (const date of ['2026-03-02', '2026-03-03', '2026-03-04']) {
      const run = await trust.night(date, { ...real, faults: [silent] });
      expect(run.verdict).toBe('partial');
      expect(await codesOf(trust, run.runId)).toContain('fell');
      expect(await saidGone(trust.book.base.db)).toBe(0);
    }
    const fourth = await trust.night('2026-03-05', { ...real, faults: [silent] });
    expect(fourth.verdict).toBe('complete_within_tolerance');
    expect(await codesOf(trust, fourth.runId)).toEqual(['fell_lasted']);
    expect(await disagreements(trust.book.base.db, trust.simulator, 'uk', '2026-03-05')).toEqual([]);
    expect((await trust.night('2026-03-06', { ...real, faults: [silent] })).verdict).toBe('complete');
  });
});

/** Products the upstream shows now. */
function count({ simulator }: BookUnderTest, date: string): number {
  return [...simulator.truth('uk', date)].length;
}
