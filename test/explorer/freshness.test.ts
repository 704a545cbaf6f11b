import { expect, it } from 'vitest';
import { freshnessLine } from '../../src/web/freshness.ts';

const fresh = { region: 'uk', certified: '2026-06-01', later: null, behind: 13, isSimulated: false, owed: 0 } as const;

it('a simulated database waits for nights to be played, where a real one is behind', () => {
  expect(freshnessLine(fresh)).toContain('13 nights behind');
  expect(freshnessLine({ ...fresh, isSimulated: true })).toContain('13 nights still to be played');
  expect(freshnessLine({ ...fresh, isSimulated: true, behind: 1 })).toContain('1 night still to be played');
  expect(freshnessLine({ ...fresh, isSimulated: true, behind: 0 })).toContain('current');
});
