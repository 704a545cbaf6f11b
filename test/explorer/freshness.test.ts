import { expect, it } from 'vitest';
import { freshnessLines } from '../../src/web/freshness.ts';

const fresh = { region: 'uk', certified: '2026-06-01', later: null, behind: 0, isSimulated: false, owed: 0 } as const;
const irish = { ...fresh, region: 'ie' } as const;
const words = (...regions: Parameters<typeof freshnessLines>[0]) => freshnessLines(regions).join(' | ');

it('the freshness is one sentence for both regions while both are complete', () => {
  expect(words(fresh, irish)).toBe('Prices of the night of 1 June 2026 | United Kingdom and Ireland complete');
});

it('a region that is behind, partial or not derived gets a line of its own', () => {
  expect(words({ ...fresh, behind: 13 }, irish)).toContain(
    'United Kingdom: prices of the night of 1 June 2026, 13 nights behind',
  );
  const later = { date: '2026-06-02', certificate: 'partial' };
  expect(words({ ...fresh, later }, irish)).toContain('; the night of 2 June 2026 is partial');
  expect(words({ ...fresh, owed: 1 }, irish)).toContain(
    'figures, indices and offers of 1 night are still to be derived',
  );
  expect(words({ ...fresh, certified: null, behind: null }, irish)).toContain('United Kingdom: no complete night yet');
});

it('a simulated database waits for nights to be played, where a real one is behind', () => {
  const simulated = { ...fresh, isSimulated: true } as const;
  expect(words({ ...simulated, behind: 13 })).toContain('13 nights still to be played');
  expect(words({ ...simulated, behind: 1 })).toContain('1 night still to be played');
  expect(words(simulated)).not.toContain('still to be played');
});
