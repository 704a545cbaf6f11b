import { randomUUID } from 'node:crypto';
import type { Askable } from '../db/client.ts';
import { pieceMsOf } from './terms.ts';

/** A request that was reserved and certainly never went out. */
export interface Unsent {
  /** When it was reserved, and in milliseconds of the database's clock. */
  readonly at: Date;
  readonly atMs: number;
  readonly hour: Date;
  readonly endpoint: string;
  readonly region: string | null;
  readonly runId: number | null;
  readonly units: number;
  /** An exact decimal; null: not known. */
  readonly cost: string | null;
}

/** Requests to be given back to the limits that count them, kept until that is done. */
export interface GiveBack {
  add(unsent: Unsent): void;
  isEmpty(): boolean;
  /** Gives all back, each once however often a write fails; returns their units. Not to be called while it runs. */
  write(sql: Askable, now: Date): Promise<number>;
}

/** `windowsMs`: the windows in which this process counts. */
export function createGiveBack(listing: string, windowsMs: readonly number[]): GiveBack {
  const writer = randomUUID();
  let gathered: Unsent[] = [];
  /** The write under way, kept until it is known to be committed. */
  let unconfirmed: { readonly number: number; readonly unsent: readonly Unsent[] } | null = null;
  let lastNumber = 0;

  return {
    add: (unsent) => void gathered.push(unsent),
    isEmpty: () => unconfirmed === null && gathered.length === 0,

    async write(sql, now) {
      let units = 0;
      while (unconfirmed !== null || gathered.length > 0) {
        if (unconfirmed === null) {
          unconfirmed = { number: ++lastNumber, unsent: gathered };
          gathered = [];
        }
        const { number, unsent } = unconfirmed;
        await sql.query('select ops.give_back_requests($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)', [
          listing,
          writer,
          number,
          now,
          unsent.map(({ at }) => at),
          unsent.map(({ atMs }) => atMs),
          unsent.map(({ hour }) => hour),
          unsent.map(({ endpoint }) => endpoint),
          unsent.map(({ region }) => region),
          unsent.map(({ runId }) => runId),
          unsent.map((request) => request.units),
          unsent.map(({ cost }) => cost),
          windowsMs,
          windowsMs.map(pieceMsOf),
        ]);
        for (const request of unsent) units += request.units;
        unconfirmed = null;
      }
      return units;
    },
  };
}
