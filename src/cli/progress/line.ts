import { describeCost } from '../../crawl/ledger/run-cost.ts';
import { phaseNames } from '../../questions/status.ts';
import { count, duration } from '../output/words.ts';
import type { Reading } from './meter.ts';

/** Progress of a region in one line. */
export function progressLine(reading: Reading): string {
  return `${reading.region}  ${words(reading).join(', ')}`;
}

function words(reading: Reading): string[] {
  const { phase, share, productsRead, productsPerSecond, requestsPerSecond, secondsLeft } = reading;
  if (phase === 'over') return ['100 %', `${count(productsRead)} products read`, phaseNames.over];
  const spent = reading.cost === null ? [] : [describeCost(reading.cost)];
  if (phase === 'taxonomy') return [phaseNames.taxonomy];
  const left = secondsLeft === null || phase === 'finishing' ? [] : [`${duration(secondsLeft)} left`];
  return [
    `${Math.floor(share * 100)} %`.padStart(5),
    phaseNames[phase],
    ...left,
    `${count(productsPerSecond)} products/s`,
    `${rate(requestsPerSecond)} requests/s`,
    ...spent,
  ];
}

function rate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : count(perSecond);
}
