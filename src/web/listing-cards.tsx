import type { ListingStatus } from '../questions/status.ts';
import { Card } from './parts.tsx';
import { instant, longDate, money, number, text, unsnaked } from './words.ts';

/** Requests, quota, cost and state of each listing. */
export function ListingCards({ of }: { of: readonly ListingStatus[] }) {
  return (
    <div class="cards">
      {of.map((listing) => (
        <Card key={listing.listing} title={`Requests of ${unsnaked(listing.listing)} this month`}>
          <p class="big">{number(listing.requestsUsed)}</p>
          <p>{quotaLine(listing)}</p>
          {listing.monthlyQuota !== null && listing.monthlyQuota > 0 && (
            <meter
              aria-label={`Share of the month’s quota of ${unsnaked(listing.listing)} that is used`}
              min={0}
              max={listing.monthlyQuota}
              value={Math.min(listing.requestsUsed, listing.monthlyQuota)}
            />
          )}
          <p>
            {listing.cost === null
              ? 'Cost unknown: no plan is configured.'
              : `${money(listing.cost.amount, listing.cost.currency)} this month so far.`}
          </p>
          {listing.forecast !== null && <p>{forecastLine(listing.forecast)}</p>}
          {listing.state !== 'ok' && (
            <p class="bad">
              {unsnaked(listing.state)}
              {listing.pausedUntil === null ? '' : `, paused until ${instant(listing.pausedUntil)}`}:{' '}
              {text(listing.lastError ?? '')}
            </p>
          )}
        </Card>
      ))}
    </div>
  );
}

function quotaLine({ monthlyQuota, spentByOthers }: ListingStatus): string {
  const others = spentByOthers === 0 ? '' : `, ${number(spentByOthers)} of them by other programs with the same key`;
  if (monthlyQuota === null) return `requests${others}; the upstream sets the quota`;
  return monthlyQuota === 0 ? `requests${others}; no quota` : `of ${number(monthlyQuota)} requests${others}`;
}

/** A forecast changes with every minute, and is not exact. */
const rough = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 2 });

function forecastLine(forecast: NonNullable<ListingStatus['forecast']>): string {
  const { endsAt, requestsADay, requests, beyondQuota, cost } = forecast;
  const costs = cost === null ? '' : `, ${money(cost.amount, cost.currency)}`;
  const beyond = beyondQuota === 0 ? '' : `; ${number(beyondQuota)} over the quota`;
  const end = longDate(endsAt.toISOString());
  return (
    `Forecast: about ${rough.format(requests)} requests${costs} by ${end}, ` +
    `at ${number(requestsADay)} a day as in the last week${beyond}.`
  );
}
