import { describe, expect, test } from 'vitest';
import { addressAfter, type ListingAddress, type ListingMove } from '../../src/crawl/moves.ts';

const at = (host: string): ListingAddress => ({ baseUrl: `https://${host}.example`, host });
const move = (from: string, to: string): ListingMove => ({
  moveId: 1,
  listing: 'grocery',
  from: at(from),
  to: at(to),
  movedAt: new Date('2026-03-01T00:00:00Z'),
  unitsUsed: 0,
  quota: null,
});

describe('the host of a listing', () => {
  test('a listing uses the host to which its own moves lead from the configured one', () => {
    const moves = [move('a', 'b'), move('b', 'c')];
    expect(['a', 'b', 'c', 'd'].map((host) => addressAfter(moves, 'grocery', at(host)).host)).toEqual([
      'c',
      'c',
      'c',
      'd',
    ]);
    expect(addressAfter(moves, 'stores', at('a')).host).toBe('a');
  });
});
