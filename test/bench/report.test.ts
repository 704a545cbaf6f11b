import { describe, expect, it } from 'vitest';
import { type Measured, verdictOn } from './figure.ts';
import { report } from './report.ts';

const measured = (value: number, target: Measured['target']): Measured => ({
  what: 'something',
  value,
  unit: 's',
  target,
  from: 'here',
});

describe('the table of the benchmark', () => {
  it('holds a figure against its aim first and its floor second, whichever way is better', () => {
    const share = { is: 'at least', aim: 0.5, floor: 0.2 } as const;
    expect([0.6, 0.5, 0.3, 0.1].map((value) => verdictOn(measured(value, share)))).toEqual([
      'aim',
      'aim',
      'floor',
      'missed',
    ]);
    const seconds = { is: 'at most', aim: 1, floor: 3 } as const;
    expect([0.6, 2, 3.1].map((value) => verdictOn(measured(value, seconds)))).toEqual(['aim', 'floor', 'missed']);
  });

  it('judges nothing that has no target, and lines its columns up', () => {
    const [head, rule, row] = report([measured(1.234, null)]).split('\n');
    expect(row).toMatch(/^\| something +\| 1\.23 s +\| +\| +\| +\| here +\|$/);
    expect(new Set([head, rule, row].map((line) => line?.length)).size).toBe(1);
  });
});
