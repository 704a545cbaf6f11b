import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drawNight } from './draw-night.ts';
import { openLogbook, type PlayedNight } from './logbook.ts';
import { report } from './report.ts';
import { lineThrough, quarters } from './slope.ts';

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe('the slope of a soak', () => {
  it('is that of the line all points stand on, without error', () => {
    fc.assert(
      fc.property(number, number, fc.integer({ min: 3, max: 200 }), (start, slope, count) => {
        const line = lineThrough(Array.from({ length: count }, (_, x) => [x, start + slope * x]))!;
        expect(line.slope).toBeCloseTo(slope, 4);
        expect(line.error).toBeCloseTo(0, 4);
      }),
    );
  });

  it('is not moved by where the values begin, and grows with their unit', () => {
    const values = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 4, maxLength: 60 });
    fc.assert(
      fc.property(values, fc.integer({ min: -1e3, max: 1e3 }), (ys, shift) => {
        const line = lineThrough(ys.map((y, x) => [x, y]))!;
        const moved = lineThrough(ys.map((y, x) => [x, 2 * y + shift]))!;
        expect(moved.slope).toBeCloseTo(2 * line.slope, 6);
        expect(moved.error).toBeCloseTo(2 * line.error, 6);
      }),
    );
  });

  it('is within three of its errors of the truth, nearly always', () => {
    const scatter = (seed: number, x: number) => Math.sin(seed * 12.9898 + x * 78.233) * 43_758.5453;
    let outside = 0;
    for (let seed = 1; seed <= 300; seed += 1) {
      const points = Array.from({ length: 100 }, (_, x) => {
        const noise = scatter(seed, x);
        return [x, 0.25 * x + 20 * (noise - Math.floor(noise) - 0.5)] as const;
      });
      const { slope, error } = lineThrough(points)!;
      if (Math.abs(slope - 0.25) > 3 * error) outside += 1;
    }
    expect(outside).toBeLessThan(9);
  });

  it('is not claimed of points that tell none', () => {
    expect(lineThrough([])).toBeNull();
    expect(
      lineThrough([
        [0, 1],
        [1, 2],
      ]),
    ).toBeNull();
    expect(
      lineThrough([
        [3, 1],
        [3, 2],
        [3, 5],
      ]),
    ).toBeNull();
    expect(quarters([1, 2, 3])).toBeNull();
  });

  it('has quarters that leave the middle out', () => {
    expect(quarters([1, 3, 100, 100, 100, 100, 5, 7])).toEqual({ first: 2, last: 6 });
  });
});

describe('the nights of a soak', () => {
  const nights = Array.from({ length: 1_000 }, (_, night) => drawNight(1, night, 50));

  it('are the same for the same seed, and others for another', () => {
    expect(nights).toEqual(Array.from({ length: 1_000 }, (_, night) => drawNight(1, night, 50)));
    expect(nights).not.toEqual(Array.from({ length: 1_000 }, (_, night) => drawNight(2, night, 50)));
  });

  it('are calm whenever they are held against the truth, and on the first', () => {
    const verified = nights.filter(({ isVerified }) => isVerified);
    expect(verified).toHaveLength(20);
    for (const { classes, faults, harms } of [nights[0]!, ...verified]) {
      expect([classes, faults, harms]).toEqual([[], [], []]);
    }
  });

  it('have every class of faults on in some stretches and off in others', () => {
    for (const one of ['passing', 'content', 'untrue', 'connections'] as const) {
      const stretches = Array.from({ length: 100 }, (_, at) =>
        nights.slice(at * 10, at * 10 + 10).some(({ classes }) => classes.includes(one)),
      );
      expect(stretches.filter(Boolean).length, one).toBeGreaterThan(20);
      expect(stretches.filter((isOn) => !isOn).length, one).toBeGreaterThan(5);
    }
  });
});

describe('the log of a soak', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pricebook-soak-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('goes on where it ended, at the same port, without the line that was half written', () => {
    const settings = { items: 10, seed: 1 };
    openLogbook(folder, settings, 4711).add(played(0));
    appendFileSync(join(folder, 'soak.ndjson'), '{"night":1,"ses');
    const again = openLogbook(folder, settings, 5000);
    expect([again.port, again.session, again.nights]).toEqual([4711, 2, [played(0)]]);
    again.add({ ...played(1), session: 2 });
    expect(openLogbook(folder, settings, 0).nights.map(({ night }) => night)).toEqual([0, 1]);
  });

  it('is not gone on with under other settings', () => {
    openLogbook(folder, { items: 10, seed: 1 }, 4711);
    expect(() => openLogbook(folder, { items: 11, seed: 1 }, 4711)).toThrow('begun with --items 10 --seed 1');
  });
});

describe('the table of a soak', () => {
  const nights = Array.from({ length: 100 }, (_, night) => played(night));

  it('tells growth in bytes a product-night and memory as a slope', () => {
    const table = report({ nights, audits: { rebuilt: 3, changed: 0, comparedAgain: 1 }, broken: [] });
    // A thousand products of 5 bytes a night.
    expect(table).toMatch(
      /^catalog +\S+ MB; 5\.00 ± 0\.00 B a product-night in the first half, 5\.00 ± 0\.00 B in the last$/m,
    );
    expect(table).toMatch(/^heap after collection .*\(1\.000\); 0\.0 MB ± 0\.0 MB a 100 nights$/m);
    expect(table).toMatch(/^resident memory .*; 100\.0 MB ± 0\.0 MB a 100 nights$/m);
    expect(table).toMatch(/^verdicts +complete 100$/m);
    expect(table).toMatch(
      /^nights held against the truth +2, differences 0, listings in repeating categories learnt later 0; 1 of them once more later$/m,
    );
    expect(table).toMatch(/^broken +nothing$/m);
  });

  it('speaks of the memory of one start of the program only', () => {
    const restarted = nights.map((one) => ({ ...one, session: one.night < 60 ? 1 : 2 }));
    const table = report({
      nights: restarted,
      audits: { rebuilt: 0, changed: 0, comparedAgain: 0 },
      broken: ['it is'],
    });
    // Of the first 60 nights without the 20 it takes to warm up.
    expect(table).toMatch(/^resident memory +24\.5 MB in the first quarter, 54\.5 MB in the last/m);
    expect(table).toMatch(/^broken +1\n {2}it is$/m);
  });
});

/** Memory grows by a megabyte a night, the catalogue by 5 bytes of each of a thousand products. */
function played(night: number): PlayedNight {
  const sample = { heap: 4e6, external: 1e6, handles: 9, resources: 9, connections: 5, ops: 1, derived: 1, stage: 1 };
  return {
    night,
    session: 1,
    date: '2026-01-01',
    classes: [],
    struck: {},
    attempts: 1,
    verdict: 'complete',
    productsListed: 1_000,
    seconds: 1,
    cpuSeconds: 1,
    sample: { ...sample, resident: night * 2 ** 20, catalog: 5_000 * night, queue: 1, archive: 1 },
    ...(night % 50 === 49 ? { differences: 0 } : {}),
  };
}
