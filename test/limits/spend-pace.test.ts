import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Pace, sentLate, takeSlots } from '../../src/limits/pace.ts';

const rested: Pace = { nextSlotMs: 0, sentMs: [] };

/** Sends `count` requests one after the other, each so much late; tells when they went out. */
function send(rate: number, lateness: readonly number[], startMs = 1_000_000): number[] {
  let pace = rested;
  let nowMs = startMs;
  return lateness.map((lateMs) => {
    const taken = takeSlots(pace, nowMs, 1, rate);
    const slotMs = taken.slotsMs[0]!;
    nowMs = slotMs + lateMs;
    pace = sentLate(taken.pace, slotMs, nowMs);
    return nowMs;
  });
}

/** Most requests in any window of a second. */
function mostInASecond(sent: readonly number[]): number {
  return Math.max(...sent.map((ms, i) => sent.slice(i).filter((other) => other - ms < 1_000).length));
}

function achievedRate(sent: readonly number[]): number {
  return ((sent.length - 1) * 1_000) / (sent.at(-1)! - sent[0]!);
}

describe('slots', () => {
  test('are evenly spaced, a little slower than allowed', () => {
    const { slotsMs } = takeSlots(rested, 1_000, 4, 5);
    expect(slotsMs.map((ms) => Math.round(ms))).toEqual([1_000, 1_203, 1_406, 1_608]);
  });

  test('never bunch after a pause', () => {
    const { pace } = takeSlots(rested, 1_000, 1, 5);
    const { slotsMs } = takeSlots(pace, 60_000, 3, 5);
    expect(slotsMs.map((ms) => Math.round(ms))).toEqual([60_000, 60_203, 60_406]);
  });

  test('at less than one a second are further apart than a second', () => {
    const { slotsMs } = takeSlots(rested, 60_000, 2, 0.5);
    expect(slotsMs[1]! - slotsMs[0]!).toBeCloseTo(2_028);
  });

  test('wait for a pause that was asked for', () => {
    expect(takeSlots({ nextSlotMs: 9_000, sentMs: [] }, 1_000, 1, 5).slotsMs).toEqual([9_000]);
  });

  test('do not wait for a clock that was set back', () => {
    const wrong = { nextSlotMs: 10_000_000, sentMs: [9_999_000] };
    expect(takeSlots(wrong, 1_000, 1, 5).slotsMs).toEqual([1_000]);
  });

  test('never allow more than the rate in any second, however late requests go out', () => {
    const lateness = fc.array(
      fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 0, max: 12 }) }, fc.integer({ min: 0, max: 400 })),
      { minLength: 10, maxLength: 80 },
    );
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 5, 20, 50), lateness, (rate, late) => {
        expect(mostInASecond(send(rate, late))).toBeLessThanOrEqual(rate);
      }),
    );
  });

  test('keep the average although single requests are late', () => {
    const late = Array.from({ length: 500 }, (_, i) => (i % 50 === 0 ? 60 : i % 3));
    expect(achievedRate(send(5, late))).toBeGreaterThan(4.9);
    expect(mostInASecond(send(5, late))).toBeLessThanOrEqual(5);
  });

  test('are the same whether taken one by one or together', () => {
    const together = takeSlots(rested, 1_000, 20, 100).slotsMs;
    let pace = rested;
    const oneByOne = together.map(() => {
      const taken = takeSlots(pace, 1_000, 1, 100);
      pace = taken.pace;
      return taken.slotsMs[0]!;
    });
    expect(oneByOne).toEqual(together);
  });
});
