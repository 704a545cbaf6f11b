import { createHash } from 'node:crypto';
import { asc, eq, lt, max } from 'drizzle-orm';
import type { Clock } from '../../base/clock.ts';
import { Refused } from '../../base/errors.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { derivedNightChange, watch, watchRow } from '../../db/tables/index.ts';
import { addMessages } from '../outbox/outbox.ts';

type Watch = typeof watch.$inferSelect;

/** A row of the answer to a question. */
export interface AnswerRow {
  /** Values of the question's key: rows with the same key are the same row. */
  readonly key: readonly unknown[];
  /** The row on one line. */
  readonly line: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** Asks a question with options as typed: at most `limit` rows. Throws if it cannot be asked. */
export type AskQuestion = (
  question: string,
  parameters: Watch['parameters'],
  limit: number,
) => Promise<readonly AnswerRow[]>;

interface Needs {
  readonly db: Database;
  readonly clock: Clock;
  readonly ask: AskQuestion;
}

/** In the answer to a watched question. */
const maxRows = 10_000;
const maxLinesInMessage = 50;

/** Adds a watch; the rows that its question has now are not sent. */
export async function addWatch(
  { db, clock, ask }: Needs,
  { name, question, parameters }: Pick<Watch, 'name' | 'question' | 'parameters'>,
): Promise<void> {
  const changeSeq = await lastChange(db);
  const rows = await ask(question, parameters, maxRows + 1);
  if (rows.length > maxRows)
    throw new Refused(1, `The question has more than ${maxRows} rows. Restrict it by a product, category or date.`);
  await db.tx(async (tx) => {
    const added = await tx.orm
      .insert(watch)
      .values({ name, question, parameters, createdAt: clock.now(), changeSeq })
      .onConflictDoNothing()
      .returning();
    if (added.length === 0)
      throw new Refused(1, `There is already a watch ${name}. \`pricebook watch remove ${name}\``);
    await rowsNotSeen(tx, name, rows);
  });
}

/** Watches in the order of their names. */
export const listWatches = ({ orm }: Pick<Database, 'orm'>): Promise<Watch[]> =>
  orm.select().from(watch).orderBy(asc(watch.name));

/** Removes a watch. False: there is none of that name. */
export async function removeWatch({ orm }: Pick<Database, 'orm'>, name: string): Promise<boolean> {
  return (await orm.delete(watch).where(eq(watch.name, name)).returning()).length > 0;
}

/** Watches that were last asked before the last derivation, whose number is given with them. */
export async function owedWatches({ orm }: Pick<Database, 'orm'>) {
  const changeSeq = await lastChange({ orm });
  const owed = await orm.select().from(watch).where(lt(watch.changeSeq, changeSeq)).orderBy(asc(watch.name));
  return { changeSeq, owed };
}

/**
 * Asks the questions of owed watches, and adds one message per watch with rows that it has not seen. A question that
 * fails is asked again after the next night. Returns the number of questions.
 */
export async function followWatches({ db, clock, ask }: Needs, signal: AbortSignal): Promise<number> {
  const { changeSeq, owed } = await owedWatches(db);
  for (const one of owed) {
    signal.throwIfAborted();
    const answer = await ask(one.question, one.parameters, maxRows).catch((error: Error) => error);
    await db.tx(async (tx) => {
      const lastError = answer instanceof Error ? answer.message : null;
      // A watch that was removed meanwhile, or that another process has asked, changes nothing.
      const [current] = await tx.orm.select().from(watch).where(eq(watch.name, one.name)).for('update');
      if (!current || current.changeSeq >= changeSeq) return;
      await tx.orm.update(watch).set({ changeSeq, lastError }).where(eq(watch.name, one.name));
      const found = answer instanceof Error ? [] : await rowsNotSeen(tx, one.name, answer);
      if (found.length > 0) await addMessages(tx, [messageOf(one, found)], clock.now());
    });
  }
  return owed.length;
}

/** Marks rows as seen and returns those that were not. */
async function rowsNotSeen({ orm }: Transaction, name: string, rows: readonly AnswerRow[]): Promise<AnswerRow[]> {
  const byHash = new Map(rows.map((row) => [hashOf(row), row]));
  if (byHash.size === 0) return [];
  const added = await orm
    .insert(watchRow)
    .values([...byHash.keys()].map((rowHash) => ({ name, rowHash })))
    .onConflictDoNothing()
    .returning();
  const isNew = new Set(added.map(({ rowHash }) => rowHash.replaceAll('-', '')));
  return [...byHash].filter(([hash]) => isNew.has(hash)).map(([, row]) => row);
}

const hashOf = ({ key }: AnswerRow): string =>
  createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32);

function messageOf({ name, question, parameters }: Watch, rows: readonly AnswerRow[]) {
  const shown = rows.slice(0, maxLinesInMessage);
  const more = rows.length > shown.length ? [`and ${rows.length - shown.length} more`] : [];
  const found = { new_rows: rows.length, rows: shown.map(({ row }) => row) };
  return {
    subject: `watch ${name}`,
    text: [`Pricebook, ${name}:`, ...shown.map(({ line }) => line), ...more].join('\n'),
    fields: { event: 'watch', name, question, parameters, ...found },
  };
}

async function lastChange({ orm }: Pick<Database, 'orm'>): Promise<number> {
  const [row] = await orm.select({ last: max(derivedNightChange.changeSeq) }).from(derivedNightChange);
  return Number(row?.last ?? 0);
}
