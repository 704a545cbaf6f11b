import type { Askable } from '../db/client.ts';
import type { OutcomeKind, Reservation } from '../gateway/spend.ts';
import type { Asked } from './admission.ts';

/** What became of requests, gathered until it is written. */
export interface SpendCounts {
  add(reservation: Reservation, kind: OutcomeKind): void;
  /** Writes what was gathered; on failure it stays gathered. */
  write(sql: Askable): Promise<void>;
}

export function createSpendCounts(): SpendCounts {
  let gathered = new Map<string, { key: Reservation; counts: Record<OutcomeKind, number> }>();

  function add(key: Reservation, kind: OutcomeKind, count = 1) {
    const id = [key.listing, key.hour.getTime(), key.endpoint, key.region, key.runId].join('|');
    const entry = gathered.get(id) ?? { key, counts: { ...noCounts } };
    entry.counts[kind] += count;
    gathered.set(id, entry);
  }

  return {
    add: (reservation, kind) => add(reservation, kind),

    async write(sql) {
      if (gathered.size === 0) return;
      const writing = [...gathered.values()];
      gathered = new Map();
      try {
        await sql.query(addOutcomes, [
          ...keyColumns(writing.map(({ key }) => key)),
          ...outcomeKinds.map((kind) => writing.map(({ counts }) => counts[kind])),
        ]);
      } catch (error) {
        for (const { key, counts } of writing) for (const kind of outcomeKinds) add(key, kind, counts[kind]);
        throw error;
      }
    },
  };
}

/** Counts requests of one listing as sent. */
export async function countSent(sql: Askable, asked: readonly Asked[], hour: Date): Promise<void> {
  const counted = sentCte(asked, hour, 1);
  await sql.query(`with ${counted.text('true')} select from counted`, counted.values);
}

/** A `counted` CTE that counts requests as sent where `condition` holds; its parameters begin at `$first`. */
export function sentCte(asked: readonly Asked[], hour: Date, first: number) {
  const groups = new Map<string, { key: Asked; sent: number }>();
  for (const key of asked) {
    const id = [key.endpoint, key.region, key.runId].join('|');
    const group = groups.get(id) ?? { key, sent: 0 };
    group.sent += 1;
    groups.set(id, group);
  }
  const rows = [...groups.values()];
  const at = (offset: number) => `$${first + offset}`;
  return {
    values: [...keyColumns(rows.map(({ key }) => ({ ...key, hour }))), rows.map(({ sent }) => sent)],
    text: (condition: string) => `counted as (
      insert into ops.spend as s (listing, hour, endpoint, region, run_id, sent)
      select * from unnest(${at(0)}::text[], ${at(1)}::timestamptz[], ${at(2)}::text[], ${at(3)}::text[], ${at(4)}::int[], ${at(5)}::int[])
        as k (listing, hour, endpoint, region, run_id, sent)
      where ${condition}
      order by listing, hour, endpoint, region, run_id
      on conflict (listing, hour, endpoint, region, run_id) do update set sent = s.sent + excluded.sent
      returning 1
    )`,
  };
}

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
const noCounts: Readonly<Record<OutcomeKind, number>> = {
  ok: 0,
  failed: 0,
  refused: 0,
  rate_limited: 0,
  quota: 0,
  denied: 0,
  aborted: 0,
};

/**
 * Rows in one order in every process, so that two writers never wait for each other. What has an outcome was sent, even if a
 * crash of the database forgot that.
 */
const addOutcomes = `
  insert into ops.spend as s (listing, hour, endpoint, region, run_id, ${outcomeKinds.join(', ')}, sent)
  select k.*, ${outcomeKinds.map((kind) => `k.${kind}`).join(' + ')} from unnest(
    $1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::int[],
    ${outcomeKinds.map((_, i) => `$${6 + i}::int[]`).join(', ')}
  ) as k (listing, hour, endpoint, region, run_id, ${outcomeKinds.join(', ')})
  order by listing, hour, endpoint, region, run_id
  on conflict (listing, hour, endpoint, region, run_id) do update set
    sent = greatest(s.sent, ${outcomeKinds.map((kind) => `s.${kind} + excluded.${kind}`).join(' + ')}),
    ${outcomeKinds.map((kind) => `${kind} = s.${kind} + excluded.${kind}`).join(', ')}`;
