import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressAfter,
  type ListingAddress,
  type ListingMove,
  worldAfter,
} from '../../src/crawl/ledger/listing-moves.ts';

const at = (host: string): ListingAddress => ({ baseUrl: `https://${host}.example`, host });
const move = (from: string, to: string, more: Partial<ListingMove> = {}): ListingMove => ({
  moveId: 1,
  listing: 'grocery',
  from: at(from),
  to: at(to),
  movedAt: new Date('2026-03-01T00:00:00Z'),
  rolledBackAt: null,
  unitsUsed: 0,
  ...more,
});
const back = { rolledBackAt: new Date('2026-03-02T00:00:00Z') };

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

  test('address and host change together, and change back when a move is undone', () => {
    expect(addressAfter([move('a', 'b')], 'grocery', at('a'))).toEqual(at('b'));
    expect(addressAfter([move('a', 'b', back)], 'grocery', at('a'))).toEqual(at('a'));
  });

  test('the host is found after any sequence of moves, even a circular one', () => {
    const host = fc.constantFrom('a', 'b', 'c', 'd');
    fc.assert(
      fc.property(fc.array(fc.tuple(host, host, fc.boolean()), { maxLength: 8 }), host, (pairs, from) => {
        const moves = pairs.map(([one, other, isBack]) => move(one, other, isBack ? back : {}));
        const asked = addressAfter(moves, 'grocery', at(from));
        expect(asked.baseUrl).toBe(`https://${asked.host}.example`);
      }),
    );
  });
});

describe('one listing', () => {
  const moves = [move('a', 'b', back), move('b', 'c')];

  test('a listing is one world', () => {
    const world = { kind: 'live', listing: 'grocery', ...at('b') } as const;
    expect(worldAfter(moves, world)).toEqual({ kind: 'live', listing: 'grocery', ...at('c') });
    expect(worldAfter(moves, { ...world, baseUrl: null })).toEqual({ ...world, baseUrl: null });
  });
});
