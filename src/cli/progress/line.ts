import { describeCost } from '../../ledger/run-cost.ts';
import { count, duration } from '../output/words.ts';
import type { Reading } from './meter.ts';

/** A region's progress as one plain line. */
export function plainLine(reading: Reading): string {
  return `${reading.region}  ${words(reading).join(', ')}`;
}

/** A region's progress as a bar that fits the terminal. */
export function barLine(reading: Reading, width: number): string {
  return `${reading.region}  ${bar(reading.share)}  ${words(reading).join(' · ')}`.slice(0, Math.max(20, width - 1));
}

const barWidth = 24;

/** A share from 0 to 1, drawn. */
export function bar(share: number): string {
  const filled = Math.round(share * barWidth);
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
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
