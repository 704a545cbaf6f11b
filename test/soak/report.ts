import type { PlayedNight } from './logbook.ts';
import type { Sample } from './sample.ts';
import { lineThrough, quarters } from './slope.ts';

export interface SoakOutcome {
  readonly nights: readonly PlayedNight[];
  readonly audits: { readonly rebuilt: number; readonly changed: number; readonly comparedAgain: number };
  /** What is not as it must be, in words. */
  readonly broken: readonly string[];
}

/** The table of a soak, as text. */
export function report({ nights, audits, broken }: SoakOutcome): string {
  const rows: (readonly [string, string])[] = [
    ['nights', `${nights.length} of ${listed(nights)} products, in ${sessionsOf(nights).size} starts of the program`],
    ['verdicts', inWords(countBy(nights.map(({ verdict }) => verdict)))],
    ['nights by class of faults', inWords(countBy(nights.map(({ classes }) => classes.join(' + ') || 'calm')))],
    ['faults', inWords(sumUp(nights.map(({ struck }) => struck)))],
    ['commands', `${sum(nights.map(({ attempts }) => attempts))}, at most ${most(nights)} for one night`],
    ['nights held against the truth', truthInWords(nights, audits.comparedAgain)],
    ['nights rebuilt', `${audits.rebuilt}, of which ${audits.changed} not as they were certified`],
    ['seconds a night', secondsInWords(nights, ({ seconds }) => seconds)],
    ['processor seconds a night, of this process', secondsInWords(nights, ({ cpuSeconds }) => cpuSeconds)],
    ...memoryRows(longestSession(nights)),
    ...growthRows(nights),
    ['broken', broken.length === 0 ? 'nothing' : `${broken.length}`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const table = rows.map(([name, value]) => `${name.padEnd(width)}${value}\n`).join('');
  return table + broken.map((line) => `  ${line}\n`).join('');
}

/** Nights a program takes to reach the size it keeps: pools fill, code is compiled. */
const warmUp = 20;

const held: readonly (readonly [string, keyof Sample, (value: number) => string])[] = [
  ['resident memory', 'resident', inMegabytes],
  ['heap after collection', 'heap', inMegabytes],
  ['memory outside the heap', 'external', inMegabytes],
  ['open files and sockets', 'handles', (count) => count.toFixed(1)],
  ['what the event loop waits for', 'resources', (count) => count.toFixed(1)],
  ['connections to PostgreSQL', 'connections', (count) => count.toFixed(1)],
];

/** What must stay as it is: its slope, and its first quarter beside its last. */
function memoryRows(session: readonly PlayedNight[]): [string, string][] {
  const warm = session.length > 2 * warmUp ? session.slice(warmUp) : session;
  return held.map(([name, of, inUnit]) => [name, flatness(warm, of, inUnit)]);
}

function flatness(nights: readonly PlayedNight[], of: keyof Sample, inUnit: (value: number) => string): string {
  const values = nights.map(({ sample }) => sample[of]);
  const line = lineThrough(nights.map(({ night, sample }) => [night, sample[of]]));
  const parts = quarters(values);
  if (!line || !parts) return inUnit(values.at(-1) ?? 0);
  const slope = `${inUnit(line.slope * 100)} ± ${inUnit(line.error * 100)} a 100 nights`;
  return `${inUnit(parts.first)} in the first quarter, ${inUnit(parts.last)} in the last (${(parts.last / parts.first).toFixed(3)}); ${slope}`;
}

const kept: readonly (readonly [string, readonly (keyof Sample)[]])[] = [
  ['catalog', ['catalog']],
  ['ops', ['ops']],
  ['derived', ['derived']],
  ['stage', ['stage']],
  ['all that PostgreSQL keeps', ['catalog', 'ops', 'derived', 'stage']],
  ["the queue's database", ['queue']],
  ['archive', ['archive']],
];

/**
 * What grows: its size, bytes a product-night in the first half of the nights and the last, which are equal where it
 * grows in a line.
 */
function growthRows(nights: readonly PlayedNight[]): [string, string][] {
  const products = listed(nights);
  return kept.map(([name, parts]) => {
    const sizeOf = ({ sample }: PlayedNight) => sum(parts.map((part) => sample[part]));
    const perProductNight = (some: readonly PlayedNight[]) => {
      const line = lineThrough(some.map((night) => [night.night, sizeOf(night)]));
      return line ? `${(line.slope / products).toFixed(2)} ± ${(line.error / products).toFixed(2)} B` : '?';
    };
    const half = nights.length >> 1;
    const end = nights.at(-1);
    return [
      name,
      `${inMegabytes(end ? sizeOf(end) : 0)}; ${perProductNight(nights.slice(0, half))} a product-night in the first half, ${perProductNight(nights.slice(half))} in the last`,
    ];
  });
}

function truthInWords(nights: readonly PlayedNight[], again: number): string {
  const compared = nights.flatMap(({ differences }) => differences ?? []);
  const later = sum(nights.flatMap(({ learntLater }) => learntLater ?? []));
  return `${compared.length}, differences ${sum(compared)}, listings in repeating categories learnt later ${later}; ${again} of them once more later`;
}

function secondsInWords(nights: readonly PlayedNight[], of: (night: PlayedNight) => number): string {
  const calm = nights.filter(({ classes }) => classes.length === 0).map(of);
  const parts = quarters(calm);
  if (!parts) return calm.map((seconds) => seconds.toFixed(2)).join(', ');
  return `${parts.first.toFixed(2)} in the first quarter of the calm nights, ${parts.last.toFixed(2)} in the last; ${sum(nights.map(of)).toFixed(0)} in all`;
}

function longestSession(nights: readonly PlayedNight[]): readonly PlayedNight[] {
  const sessions = [...sessionsOf(nights)].map((number) => nights.filter(({ session }) => session === number));
  return sessions.sort((a, b) => b.length - a.length)[0] ?? [];
}

const sessionsOf = (nights: readonly PlayedNight[]) => new Set(nights.map(({ session }) => session));
const most = (nights: readonly PlayedNight[]) => nights.reduce((top, { attempts }) => Math.max(top, attempts), 0);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Products of a night, on average. */
function listed(nights: readonly PlayedNight[]): number {
  return Math.round(sum(nights.map(({ productsListed }) => productsListed)) / Math.max(1, nights.length));
}

function countBy(words: readonly string[]): Record<string, number> {
  return sumUp(words.map((word) => ({ [word]: 1 })));
}

function sumUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of counts) for (const [name, count] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

function inWords(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`);
  return words.join(', ') || 'none';
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
