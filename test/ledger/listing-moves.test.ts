import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddressBook } from '../../src/crawl/ledger/address-book.ts';
import {
  addressAfter,
  firstAddress,
  firstUpstream,
  type ListingAddress,
  type ListingMove,
  worldAfter,
} from '../../src/crawl/ledger/listing-moves.ts';
import { useDatabase } from '../support/database.ts';

const at = (host: string): ListingAddress => ({ baseUrl: `https://${host}.example`, host });
const move = (from: string, to: string, more: Partial<ListingMove> = {}): ListingMove => ({
  moveId: 1,
  listing: 'grocery',
  from: at(from),
  to: at(to),
  movedAt: new Date('2026-03-01T00:00:00Z'),
  rolledBackAt: null,
  unitsUsed: 0,
  replacedHostState: null,
  replacedHostSeenAt: null,
  inForceInMs: -1,
  outOfForceInMs: null,
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

  test('a move takes effect at one instant and is undone at another; address and host change together', () => {
    const soon = [move('a', 'b', { inForceInMs: 500 })];
    expect(addressAfter(soon, 'grocery', at('a'), 499)).toEqual(at('a'));
    expect(addressAfter(soon, 'grocery', at('a'), 500)).toEqual(at('b'));
    const leaving = [move('a', 'b', { ...back, outOfForceInMs: 500 })];
    expect(addressAfter(leaving, 'grocery', at('a'), 499)).toEqual(at('b'));
    expect(addressAfter(leaving, 'grocery', at('a'), 500)).toEqual(at('a'));
  });

  test('the host is found after any sequence of moves, even a circular one', () => {
    const host = fc.constantFrom('a', 'b', 'c', 'd');
    fc.assert(
      fc.property(fc.array(fc.tuple(host, host, fc.boolean()), { maxLength: 8 }), host, (pairs, from) => {
        const moves = pairs.map(([one, other, isBack]) => move(one, other, isBack ? back : {}));
        const asked = addressAfter(moves, 'grocery', at(from));
        expect(asked.baseUrl).toBe(`https://${asked.host}.example`);
        expect(firstAddress(moves, 'grocery', asked)).toEqual(firstAddress(moves, 'grocery', at(from)));
      }),
    );
  });
});

describe('one listing', () => {
  const moves = [move('a', 'b', back), move('b', 'c')];

  test('a listing is known by its first address, even after an undone move', () => {
    for (const host of ['a', 'b', 'c']) {
      expect(firstUpstream(moves, `grocery at https://${host}.example, host ${host}`)).toBe(
        'grocery at https://a.example, host a',
      );
    }
    const others = ['grocery at https://d.example, host d', 'simulator seed=1 items=60 date=2026-03-01'];
    for (const other of others) expect(firstUpstream(moves, other)).toBe(other);
  });

  test('a listing is one world', () => {
    const world = { kind: 'live', listing: 'grocery', ...at('b') } as const;
    expect(worldAfter(moves, world)).toEqual({ kind: 'live', listing: 'grocery', ...at('c') });
    expect(worldAfter(moves, { ...world, baseUrl: null })).toEqual({ ...world, baseUrl: null });
  });
});

describe('an address book', () => {
  const database = useDatabase();

  test('the address book follows a move only from its instant', async () => {
    const insert = (to: string, seconds: number) =>
      database.db.query(
        `insert into ops.listing_move (listing, from_base_url, from_host, to_base_url, to_host, moved_at, effective_at)
         values ('grocery', $1, $2, $3, $4, now(), clock_timestamp() + $5::int * interval '1 second')`,
        [...Object.values(at('a')), ...Object.values(at(to)), seconds],
      );
    await insert('b', 3_600);
    expect(await createAddressBook(database.db).of('grocery', at('a'))).toEqual(at('a'));
    await database.db.query('delete from ops.listing_move');
    await insert('b', -1);
    const book = createAddressBook(database.db);
    expect(await book.of('grocery', at('a'))).toEqual(at('b'));
    expect(await book.of('stores', at('a'))).toEqual(at('a'));
  });
});
