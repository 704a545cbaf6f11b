import { setTimeout as sleep } from 'node:timers/promises';
import { limitLines } from '../../base/limited-lines.ts';
import type { ListingName } from '../../base/model/index.ts';
import { isSameAddress, type ListingAddress } from '../../crawl/ledger/listing-moves.ts';
import type { HostAnswer } from '../../crawl/moving/compare-answers.ts';
import { type Attempt, createAttempt } from '../../gateway/attempt.ts';
import type { Question } from '../../gateway/gateway.ts';
import { createSpend } from '../../gateway/limits/spend.ts';
import type { Reservation, Spend } from '../../gateway/spend.ts';
import { parseBaseUrl } from '../config/base-url.ts';
import { composeAddresses } from './addresses.ts';
import type { Closer } from './closers.ts';
import type { Base } from './data.ts';

type HostAsker = (
  listing: ListingName,
  address: ListingAddress,
  target: string,
) => Promise<HostAnswer & Pick<Attempt, 'classification'>>;

/**
 * Sends requests to a listing at any host, within its limits. Another host is another subscription, so its requests are
 * counted under a separate name and affect neither quota nor stops of the current host.
 */
export function composeHosts(
  { config, clock, log, db }: Pick<Base, 'config' | 'clock' | 'log' | 'db'>,
  { closers, signal }: { closers: Closer[]; signal: AbortSignal },
): HostAsker {
  const addressOf = composeAddresses({ config, db });
  const warn = limitLines((fields, message) => log.warn(fields, message));
  const closing = new AbortController();

  function openAt(listing: ListingName, { baseUrl, host }: ListingAddress, account: string) {
    const configured = config.listings[listing];
    const spend = createSpend({
      db,
      // The ledger's tables key listings by name; this name stands for the listing at another host.
      listings: { ...config.listings, [account]: { ...configured, host } },
      clock,
      onTrouble: (error) => warn({ err: error }, 'request outcomes could not be written yet'),
    });
    const attempts = createAttempt(
      {
        listings: {
          ...config.listings,
          [listing]: { ...configured, baseUrl, host, local: parseBaseUrl(baseUrl).local },
        },
        headerPrefix: config.headerPrefix,
        concurrency: 1,
        timeoutMs: config.requestTimeoutMs,
        spend: countedAs(account, spend),
        clock,
      },
      closing.signal,
    );
    closers.push(() => spend.close());
    closers.push(() => attempts.close());
    return attempts;
  }

  const opened = new Map<string, ReturnType<typeof openAt>>();
  return async (listing, address, target) => {
    const present = await addressOf(listing);
    const isPresent = present.baseUrl !== null && isSameAddress({ ...present, baseUrl: present.baseUrl }, address);
    const account = isPresent ? listing : accountAt(listing, address);
    const key = `${account} ${address.baseUrl}`;
    const attempts = opened.get(key) ?? openAt(listing, address, account);
    opened.set(key, attempts);

    for (let tries = 1; ; tries += 1) {
      const attempt = await attempts.attempt(pathOf(target), questionOf(listing, target), {
        signal,
        isAgain: tries > 1,
      });
      const { classification } = attempt;
      const mayPass = classification.kind === 'rate_limited' || classification.kind === 'unavailable';
      if (!mayPass || tries === mostTries) return answerOf(attempt);
      await sleep(classification.retryAfterMs ?? 1_000, undefined, { signal });
    }
  };
}

/** Name under which requests to another host of a listing are counted. */
export function accountAt(listing: ListingName, { host }: ListingAddress): string {
  return `${listing}@${host}`;
}

const mostTries = 2;

function countedAs(account: string, spend: Spend): Spend {
  return {
    reserve: (question, options): Promise<Reservation> =>
      spend.reserve({ ...question, listing: account as ListingName }, options),
    sent: (reservation) => spend.sent(reservation),
    settle: (reservation, outcome) => spend.settle(reservation, outcome),
  };
}

function questionOf(listing: ListingName, target: string): Question {
  const query = Object.fromEntries(new URLSearchParams(target.slice(pathOf(target).length)));
  return { listing, endpoint: 'host-comparison', region: null, paths: [pathOf(target)], query, runId: null };
}

function pathOf(target: string): string {
  return target.split('?')[0]!;
}

function answerOf({ classification, payload, headers }: Attempt): HostAnswer & Pick<Attempt, 'classification'> {
  return { status: payload?.status ?? null, headers: headers ?? {}, body: parsed(payload?.body), classification };
}

function parsed(body: Uint8Array | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}
