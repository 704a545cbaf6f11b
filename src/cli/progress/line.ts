import { describeCost } from '../../crawl/ledger/run-cost.ts';
import { count, duration } from '../output/words.ts';
import type { Reading } from './meter.ts';

/** A region's progress as one plain line. */
export function plainLine(reading: Reading): string {
  return `${reading.region}  ${words(reading).join(', ')}`;
}

/**
 * A region's progress as a bar that fits the terminal. Where it does not, the bar gets shorter, then rates are left
 * out.
 */
export function barLine(reading: Reading, width: number): string {
  const before = `${reading.region}  `;
  const room = roomFor(width) - before.length - shortestBar;
  const shorter = [words(reading), withoutRates(reading, /requests/), withoutRates(reading, /requests|products/)];
  const after = shorter.map((each) => `  ${each.join(' · ')}`);
  return lineWithBar(before, reading.share, after.find(({ length }) => length <= room) ?? after.at(-1)!, width);
}

function withoutRates(reading: Reading, left: RegExp): string[] {
  return words(reading).filter((word) => !(word.endsWith('/s') && left.test(word)));
}

const longestBar = 24;
const shortestBar = 6;

/** A line that fills the terminal would wrap on some. */
const roomFor = (width: number) => Math.max(20, width - 1);

/** A share from 0 to 1, drawn between words, in less than `width` columns of a terminal; 20 are taken at least. */
export function lineWithBar(before: string, share: number, after: string, width: number): string {
  const room = roomFor(width);
  const length = Math.min(longestBar, Math.max(shortestBar, room - before.length - after.length));
  const filled = Math.round(share * length);
  return `${before}${'█'.repeat(filled)}${'░'.repeat(length - filled)}${after}`.slice(0, room);
}

/** What a run is doing, for people. */
export const phaseNames: Readonly<Record<Reading['phase'], string>> = {
  taxonomy: 'reading the categories',
  listing: 'reading the pages',
  details: 'reading details',
  finishing: 'publishing',
  over: 'done',
};

function words(reading: Reading): string[] {
  const { phase, share, productsRead, productsPerSecond, requestsPerSecond, secondsLeft } = reading;
  if (phase === 'over') return ['100 %', `${count(productsRead)} products read`, phaseNames.over];
  const spent = reading.cost === null ? [] : [describeCost(reading.cost)];
  if (phase === 'taxonomy') return [phaseNames.taxonomy];
  const left = secondsLeft === null || phase === 'finishing' ? [] : [`${duration(secondsLeft)} left`];
  return [
    `${Math.floor(share * 100)} %`.padStart(5),
    `${count(productsPerSecond)} products/s`,
    `${rate(requestsPerSecond)} requests/s`,
    ...left,
    ...spent,
    phaseNames[phase],
  ];
}

function rate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : count(perSecond);
}
