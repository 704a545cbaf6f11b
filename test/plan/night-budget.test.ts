import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nightBudget, nightsUntil } from '../../src/crawl/plan/night-budget.ts';

const both = [
  { region: 'uk', pages: 600, spent: 0 },
  { region: 'ie', pages: 200, spent: 0 },
];

describe('the budget of a night', () => {
  it('the budget is as large as useful without a quota', () => {
    expect(nightBudget('uk', { left: null, reserve: 0, nightsLeft: 30 }, both)).toEqual({ details: null, pages: null });
  });

  it('the budget is the rest of the month spread over its nights: pages first, then details', () => {
    expect(nightBudget('uk', { left: 30_100, reserve: 100, nightsLeft: 30 }, both)).toEqual({
      details: 100,
      pages: null,
    });
    expect(nightBudget('ie', { left: 30_100, reserve: 100, nightsLeft: 30 }, both)).toEqual({
      details: 100,
      pages: null,
    });
  });

  it('the budget does not count the pages of tonight twice once they are read', () => {
    const read = [{ region: 'uk', pages: 600, spent: 600 }, both[1]!];
    expect(nightBudget('uk', { left: 29_500, reserve: 100, nightsLeft: 30 }, read).details).toBe(100);
  });

  it('a small budget has fewer pages than the categories have, and no details', () => {
    expect(nightBudget('uk', { left: 12_000, reserve: 0, nightsLeft: 30 }, both)).toEqual({ details: 0, pages: 300 });
  });

  it('the budget covers a whole first night if the rest of the month does', () => {
    const first = [{ region: 'uk', pages: 600, spent: 0, isFirst: true }];
    expect(nightBudget('uk', { left: 700, reserve: 7, nightsLeft: 30 }, first)).toEqual({ details: 0, pages: null });
    expect(nightBudget('uk', { left: 600, reserve: 7, nightsLeft: 30 }, first)).toEqual({ details: 0, pages: 19 });
  });

  it('the budget is at most what the other limits allow in a day, with or without a quota', () => {
    const limits = { left: null, reserve: 0, nightsLeft: 30 };
    expect(nightBudget('uk', { ...limits, perDay: 1_000 }, both)).toEqual({ details: 100, pages: null });
    expect(nightBudget('uk', { ...limits, perDay: 400 }, both)).toEqual({ details: 0, pages: 300 });
    expect(nightBudget('uk', { ...limits, left: 300_000, perDay: 1_000 }, both)).toEqual({ details: 100, pages: null });
  });

  it('the budgets never add up to more than is left, for any number of nights', () => {
    const need = fc.record({ pages: fc.nat(20_000), spent: fc.constant(0) });
    fc.assert(
      fc.property(
        fc.nat(2_000_000),
        fc.nat(500),
        fc.integer({ min: 1, max: 31 }),
        need,
        need,
        (left, reserve, nights, uk, ie) => {
          const needs = [
            { region: 'uk', ...uk },
            { region: 'ie', ...ie },
          ];
          let rest = left;
          for (let nightsLeft = nights; nightsLeft > 0; nightsLeft -= 1) {
            for (const { region, pages } of needs) {
              const budget = nightBudget(region, { left: rest, reserve, nightsLeft }, needs);
              rest -= (budget.pages ?? pages) + budget.details!;
              expect(rest).toBeGreaterThanOrEqual(Math.min(left, reserve) - 1);
            }
          }
        },
      ),
    );
  });

  it('the budget counts tonight among the remaining nights', () => {
    const now = new Date('2026-03-30T02:00:00Z');
    expect(nightsUntil(new Date('2026-04-01T00:00:00Z'), now)).toBe(2);
    expect(nightsUntil(now, now)).toBe(1);
    expect(nightsUntil(null, now)).toBe(1);
  });
});
