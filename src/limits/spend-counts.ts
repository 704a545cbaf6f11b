import { randomUUID } from 'node:crypto';
import type { Askable } from '../db/client.ts';
import type { CountedOutcome, Reservation } from '../gateway/spend.ts';

/** What became of requests, gathered until it is written. */
export interface SpendCounts {
  add(reservation: Reservation, kind: CountedOutcome): void;
  /** Writes what was gathered, each outcome once however often a write fails. Not to be called while it runs. */
  write(sql: Askable, now: Date): Promise<void>;
}

export function createSpendCounts(): SpendCounts {
  const writer = randomUUID();
  let gathered: Counts = new Map();
  /** The write under way, kept until it is known to be committed. */
  let unconfirmed: { readonly number: number; readonly counts: Counts } | null = null;
  let lastNumber = 0;

  return {
    add(key, kind) {
      const id = [key.listing, key.hour.getTime(), key.endpoint, key.region, key.runId].join('|');
      const entry = gathered.get(id) ?? { key, counts: { ...noCounts } };
      entry.counts[kind] += 1;
      gathered.set(id, entry);
    },

    async write(sql, now) {
      while (unconfirmed !== null || gathered.size > 0) {
        if (unconfirmed === null) {
          unconfirmed = { number: ++lastNumber, counts: gathered };
          gathered = new Map();
        }
        const entries = [...unconfirmed.counts.values()];
        await sql.query(addOutcomes, [
          ...keyColumns(entries.map(({ key }) => key)),
          ...outcomeKinds.map((kind) => entries.map(({ counts }) => counts[kind])),
          writer,
          unconfirmed.number,
          now,
        ]);
        unconfirmed = null;
      }
    },
  };
}

type Counts = Map<string, { readonly key: Reservation; readonly counts: Record<CountedOutcome, number> }>;

type Key = Omit<Reservation, 'hour'> & { readonly hour: Date };

function keyColumns(keys: readonly Key[]) {
  return [
    keys.map(({ listing }) => listing),
    keys.map(({ hour }) => hour),
    keys.map(({ endpoint }) => endpoint),
    keys.map(({ region }) => region),
    keys.map(({ runId }) => runId),
  ];
}

const outcomeKinds = ['ok', 'failed', 'refused', 'rate_limited', 'quota', 'denied', 'aborted'] as const;
const noCounts: Readonly<Record<CountedOutcome, number>> = {
  ok: 0,
  failed: 0,
  refused: 0,
  rate_limited: 0,
  quota: 0,
  denied: 0,
  aborted: 0,
};

const writtenBy = 6 + outcomeKinds.length;

/**
 * Rows in one order in every process, so that two writers never wait for each other. What has an outcome was sent, even if a
 * crash of the database forgot that. A write that was committed before changes nothing.
 */
const happened = outcomeKinds.map((kind) => `s.${kind} + excluded.${kind}`).join(' + ');
const addOutcomes = `
  with written as (
    insert into ops.spend_write as w (writer, number, written_at) values ($${writtenBy}, $${writtenBy + 1}, $${writtenBy + 2})
    on conflict (writer) do update set number = excluded.number, written_at = excluded.written_at where w.number < excluded.number
    returning number
  ), forgotten as (
    delete from ops.spend_write where $${writtenBy + 1} = 1 and written_at < $${writtenBy + 2}::timestamptz - interval '7 days'
  )
  insert into ops.spend as s (listing, hour, endpoint, region, run_id, ${outcomeKinds.join(', ')}, sent, units)
  select k.*, happened, happened from unnest(
    $1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::int[],
    ${outcomeKinds.map((_, i) => `$${6 + i}::int[]`).join(', ')}
  ) as k (listing, hour, endpoint, region, run_id, ${outcomeKinds.join(', ')})
  cross join lateral (select ${outcomeKinds.map((kind) => `k.${kind}`).join(' + ')} as happened) as total
  where exists (select from written)
  order by listing, hour, endpoint, region, run_id
  on conflict (listing, hour, endpoint, region, run_id) do update set
    sent = greatest(s.sent, ${happened}),
    -- Each weighs one at least. A crash may forget what was reserved where nothing limits the listing.
    units = greatest(s.units, ${happened}),
    ${outcomeKinds.map((kind) => `${kind} = s.${kind} + excluded.${kind}`).join(', ')}`;
