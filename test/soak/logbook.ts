import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultClass } from './draw-night.ts';
import type { Sample } from './sample.ts';

/** What a book is played with, from its first night to its last. */
export interface SoakSettings {
  readonly items: number;
  readonly seed: number;
}

/** One night, as it went. */
export interface PlayedNight {
  readonly night: number;
  /** Which start of the program played it: memory begins anew with each. */
  readonly session: number;
  readonly date: string;
  readonly classes: readonly FaultClass[];
  /** Faults of the upstream by kind, as often as they struck, and harms done. */
  readonly struck: Readonly<Record<string, number>>;
  /** Commands it took: one, and one more each time the run had to wait. */
  readonly attempts: number;
  /** Of its certificate; `held` or `abandoned` when it was not published. */
  readonly verdict: string;
  readonly productsListed: number;
  readonly seconds: number;
  /** Of this process. */
  readonly cpuSeconds: number;
  readonly sample: Sample;
  /** Where it was held against the truth: how many products differ. */
  readonly differences?: number;
  /** And in how many a category is missing that only repeats others. */
  readonly learntLater?: number;
}

/**
 * The nights of a book, a line of JSON each behind one with its settings; what is half written at the end is not there.
 */
export interface Logbook {
  /** Where the book's upstream listens: a run that was interrupted goes on only where it was begun. */
  readonly port: number;
  readonly nights: readonly PlayedNight[];
  readonly session: number;
  add(night: PlayedNight): void;
}

/**
 * Opens the log of the book in a folder; `port` is kept with a new one. Throws `RangeError` when it was played with
 * other settings.
 */
export function openLogbook(folder: string, { items, seed }: SoakSettings, port: number): Logbook {
  const path = join(folder, 'soak.ndjson');
  if (!existsSync(path)) writeFileSync(path, `${JSON.stringify({ items, seed, port })}\n`);
  const [first, ...lines] = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const begun = JSON.parse(first!) as SoakSettings & { port: number };
  if (begun.items !== items || begun.seed !== seed) {
    throw new RangeError(
      `the book was begun with --items ${begun.items} --seed ${begun.seed}: go on with those, or take another folder`,
    );
  }
  writeFileSync(path, [first, ...lines, ''].join('\n'));
  const nights = lines.map((line) => JSON.parse(line) as PlayedNight);
  return {
    port: begun.port,
    nights,
    session: (nights.at(-1)?.session ?? 0) + 1,
    add(night) {
      nights.push(night);
      appendFileSync(path, `${JSON.stringify(night)}\n`);
    },
  };
}
