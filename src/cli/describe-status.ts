import { describeCost } from '../crawl/ledger/run-cost.ts';
import { hasFailedTooOften } from '../crawl/ledger/runs.ts';
import { type ListingStatus, nightsInWords, phaseNames, type RegionStatus, type Status } from '../questions/status.ts';
import { nightsOwed } from './nights-owed.ts';
import { plainText } from './output/plain-text.ts';
import { count } from './output/words.ts';
import { summaryLine } from './report-night.ts';

/** Text of `pricebook status`. */
export function describeStatus({ regions, listings, workersAlive, quarantined }: Status): string {
  const lines = [
    ...regions.flatMap((region) => describeRegion(region, workersAlive)),
    ...listings.map(describeListing),
    `workers: ${workersAlive === 0 ? 'none running' : `${workersAlive} running`}`,
    `quarantine: ${quarantined === 0 ? 'empty' : `${count(quarantined)} ${quarantined === 1 ? 'record' : 'records'}`}`,
  ];
  return lines.map((line) => `${plainText(line)}\n`).join('');
}

function describeRegion(status: RegionStatus, workersAlive: number): string[] {
  const { region, open, lastNight, held, findings, missedNights, changedNights, nightsToDerive } = status;
  const lines = [lastNight ? summaryLine(lastNight) : `${region}: no night yet`];
  if (open) {
    const { run, progress } = open;
    const details =
      progress.detailsPlanned > 0 ? `, ${progress.detailsDone} of ${progress.detailsPlanned} details` : '';
    lines.push(
      `  run ${run.runId} of ${run.snapshotDate} is open: ${phaseNames[run.phase]}, ` +
        `${count(progress.pagesDone)} of ${count(progress.pagesPlanned)} pages${details}, ` +
        `${count(progress.requests)} requests${progress.cost === null ? '' : `, ${describeCost(progress.cost)}`}`,
    );
    if (run.pausedFor !== null) {
      const until = run.pausedUntil && !hasFailedTooOften(run) ? ` until ${run.pausedUntil.toISOString()}` : '';
      lines.push(`  it waits${until}: ${run.pausedFor}`);
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

/** `, about 45,000 (9.99 USD) by 2026-12-01`. */
function describeForecast({ forecast, requestsUsed }: ListingStatus): string {
  if (!forecast || forecast.requests === requestsUsed) return '';
  const cost = forecast.cost === null ? '' : ` (${describeCost(forecast.cost)})`;
  const beyond = forecast.beyondQuota === 0 ? '' : `, ${count(forecast.beyondQuota)} beyond the quota`;
  return `, about ${count(forecast.requests)}${cost} by ${forecast.endsAt.toISOString().slice(0, 10)}${beyond}`;
}

function describeListing(listing: ListingStatus): string {
  const { requestsUsed, spentByOthers, monthlyQuota, quotaRemaining, state, pausedUntil, lastError } = listing;
  const quota = monthlyQuota ? ` of ${count(monthlyQuota)}` : '';
  const others = spentByOthers === 0 ? '' : `, ${count(spentByOthers)} of them by other programs with the same key`;
  const cost = listing.cost === null ? '' : `, ${describeCost(listing.cost)}`;
  const left = quotaRemaining === null ? '' : `, ${count(quotaRemaining)} left according to the upstream`;
  const until = pausedUntil ? ` until ${pausedUntil.toISOString()}` : '';
  const stopped = state === 'ok' ? '' : `; stopped (${state})${until}${lastError ? `: ${lastError}` : ''}`;
  const used = `${count(requestsUsed)}${quota} requests this month`;
  return `${listing.listing}: ${used}${others}${cost}${describeForecast(listing)}${left}${stopped}`;
}
