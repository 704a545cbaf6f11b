import { count, plural } from '../base/format.ts';
import { describeCost } from '../crawl/run/cost.ts';
import type { ListingStatus } from '../crawl/run/listing-status.ts';
import { phaseNames } from '../crawl/run/progress.ts';
import { hasFailedTooOften } from '../crawl/run/runs.ts';
import { nightsInWords, type RegionStatus, type Status } from '../questions/status.ts';
import { nightsOwed } from './nights-owed.ts';
import { summaryLine } from './show-progress.ts';

/** Text of `pricebook status`. */
export function describeStatus({ regions, listings, workersAlive, quarantined }: Status): string {
  const lines = [
    ...regions.flatMap((region) => describeRegion(region, workersAlive)),
    ...listings.map(describeListing),
    `workers: ${workersAlive === 0 ? 'none running' : `${workersAlive} running`}`,
    `quarantine: ${quarantined === 0 ? 'empty' : plural(quarantined, 'record')}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function describeRegion(status: RegionStatus, workersAlive: number): string[] {
  const { region, open, lastNight, held, findings, missedNights, changedNights, nightsToDerive } = status;
  const lines = [lastNight ? summaryLine(lastNight) : `${region}: no night yet`];
  if (open) {
    const { run, progress } = open;
    const details =
      progress.detailsPlanned > 0
        ? `, ${count(progress.detailsDone)} of ${plural(progress.detailsPlanned, 'detail')}`
        : '';
    lines.push(
      `  run ${run.runId} of ${run.snapshotDate} is open: ${phaseNames[run.phase]}, ` +
        `${count(progress.pagesDone)} of ${plural(progress.pagesPlanned, 'page')}${details}, ` +
        `${plural(progress.requests, 'request')}${progress.cost === null ? '' : `, ${describeCost(progress.cost)}`}`,
    );
    if (run.stop !== null) {
      const until = hasFailedTooOften(run) ? '' : ` until ${run.stop.until.toISOString()}`;
      lines.push(`  it waits${until}: ${run.stop.detail}`);
    }
    const remedy =
      `continue it (\`pricebook crawl --region ${region}\`) ` +
      `or abandon it (\`pricebook crawl --abandon ${run.runId}\`)`;
    if (hasFailedTooOften(run)) {
      lines.push(`  it failed ${run.failureCount} times in a row and is not retried automatically: ${remedy}`);
    } else if (workersAlive === 0) {
      lines.push(`  no worker is running: ${remedy}`);
    }
  }
  if (held) {
    lines.push(
      `  run ${held.runId} of ${held.snapshotDate} is held back: ` +
        `release it (\`pricebook certify --release ${held.runId} --why …\`) or replay it`,
    );
  }
  for (const { severity, message } of findings) {
    lines.push(`  ${severity === 'block' ? 'blocks' : 'warns'}: ${message}`);
  }
  if (changedNights.length > 0) lines.push(`  no longer match their certificates: ${nightsInWords(changedNights)}`);
  if (nightsToDerive > 0) lines.push(`  ${nightsOwed(nightsToDerive)}`);
  if (missedNights.length > 0) lines.push(`  missed nights: ${nightsInWords(missedNights)}`);
  return lines;
}

function describeListing(listing: ListingStatus): string {
  const { requestsSpent, monthlyQuota, quotaRemaining, state, pausedUntil, lastError } = listing;
  const cost = listing.cost === null ? '' : `, ${describeCost(listing.cost)}`;
  const left = quotaRemaining === null ? '' : `, ${count(quotaRemaining)} left according to the upstream`;
  const until = pausedUntil ? ` until ${pausedUntil.toISOString()}` : '';
  const stopped = state === 'ok' ? '' : `; stopped (${state})${until}${lastError ? `: ${lastError}` : ''}`;
  const of = monthlyQuota ? `${count(requestsSpent)} of ` : '';
  const used = `${of}${plural(monthlyQuota || requestsSpent, 'request')} this month`;
  return `${listing.listing}: ${used}${cost}${left}${stopped}`;
}
