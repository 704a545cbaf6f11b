import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { movesReliableMs } from '../../app/compose/addresses.ts';
import { compose } from '../../app/compose.ts';
import { UsageInvalid } from '../../base/errors.ts';
import { describeCost } from '../../crawl/ledger/run-cost.ts';
import { monthlyQuotaOn, listings as registry } from '../../source/listings/index.ts';
import { using } from '../closing.ts';
import { defineVerb, type Invocation } from '../define-verb.ts';
import { describeBill, describePlan, describeProbe } from '../listings/describe-move.ts';
import { listingJson, moveJson } from '../listings/listing-json.ts';
import { deadlineWords, healthOf, typedName, warningsOf } from '../listings/listing-words.ts';
import { confirmCurrent, migrateListing, moveBack } from '../listings/migrate-listing.ts';
import { type ListingOverview, readListingOverviews } from '../listings/read-listings.ts';
import { plainText } from '../output/plain-text.ts';
import { tableOf } from '../output/table.ts';
import { count } from '../output/words.ts';

interface Options {
  readonly operands: readonly string[];
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly to?: string;
  readonly request?: readonly string[];
  readonly despiteDifferences?: boolean;
  readonly back?: boolean;
  readonly current?: boolean;
}

const ofComparison = ['dryRun', 'to', 'request', 'despiteDifferences'];

export const listings = defineVerb<Options>({
  declare(command) {
    command
      .addArgument(
        new Argument('[what]', 'migrate: compare the new host of a listing with the old one, and switch').choices([
          'migrate',
        ]),
      )
      .addArgument(
        new Argument('[listing]', 'the listing to migrate').choices(
          Object.values(registry).map(({ name }) => typedName(name)),
        ),
      )
      .option('--dry-run', 'with migrate: compare only')
      .option('--to <host>', 'with migrate: the new host or base URL (default: the known one)')
      .option(
        '--request <path>',
        'with migrate: compare this path and query; may be repeated (default: recorded requests)',
        addRequest,
      )
      .option('--despite-differences', 'with migrate: switch even if the hosts differ or the new quota is smaller')
      .addOption(new Option('--back', 'with migrate: undo the last move of the listing').conflicts(ofComparison))
      .addOption(
        new Option('--current', 'with migrate: record that the host it is asked at is the current one').conflicts([
          ...ofComparison,
          'back',
        ]),
      )
      .option('--json', 'print JSON');
  },

  run(options, invocation) {
    const { config, clock, log, console } = invocation;
    const { json, operands } = options;
    const [what, typed] = operands;
    if (what === 'migrate') return migrate(typed, options, invocation);
    refuseOfMove(options);
    return using(compose(config, { clock, log, name: 'listings' }), async (base) => {
      const overviews = await readListingOverviews(base);
      if (json) {
        await console.data(`${JSON.stringify({ version: 1, listings: overviews.map(listingJson) })}\n`);
        return;
      }
      await console.data(tableOf(columns, overviews));
      for (const warning of overviews.flatMap(warningsOf)) console.say(warning);
      for (const { listing, isAsked } of overviews) {
        if (!isAsked) console.say(`${typedName(listing.name)} is not configured: ${listing.about}.`);
      }
    });
  },
});

async function migrate(
  typed: string | undefined,
  options: Options,
  invocation: Invocation,
): Promise<number | undefined> {
  const { config, clock, log, console, signal } = invocation;
  const {
    dryRun = false,
    to = null,
    request = [],
    despiteDifferences = false,
    back = false,
    current = false,
    json,
  } = options;
  const listing = Object.values(registry).find(({ name }) => typedName(name) === typed);
  if (!listing) throw new UsageInvalid('`pricebook listings migrate` needs the name of a listing, such as property-1.');
  const { name } = listing;
  return using(compose(config, { clock, log, name: 'listings' }), async (base) => {
    if (current || back) {
      const { host, baseUrl } = await (back ? moveBack : confirmCurrent)(base, name);
      if (back) await sleep(movesReliableMs);
      const done = back
        ? `All processes use ${host} for ${typedName(name)} again.`
        : `${host} counts as the current host of ${typedName(name)}.`;
      const said = { version: 1, listing: name, switched: back, host, base_url: baseUrl };
      await console.data(`${json ? JSON.stringify(said) : done}\n`);
      return undefined;
    }
    const asked = { to, requests: request, isDryRun: dryRun, isDespiteDifferences: despiteDifferences };
    const move = await migrateListing(base, name, asked, signal);
    // Waits until every process uses the new host, so that callers can rely on it.
    if (move.isSwitched) await sleep(movesReliableMs);
    if (json) await console.data(`${JSON.stringify(moveJson(move))}\n`);
    else {
      await console.data(
        describeProbe(move)
          .map((line) => `${plainText(line)}\n`)
          .join(''),
      );
      await console.data(
        move.isSwitched
          ? `All processes now use ${move.to.host} for ${typedName(name)}.\n`
          : `${typedName(name)} stays at ${move.from.host}${dryRun ? ': this was a dry run' : ''}.\n`,
      );
    }
    const on = clock.now().toISOString().slice(0, 10);
    const { subscription, monthlyQuota: told } = config.listings[name];
    // Bonus requests are of the new listing, and so not of the month that is given back.
    const quota = monthlyQuotaOn(on, subscription, { offer: null, told }) ?? move.plan.old;
    const bill = { listing, move, subscription, quota, used: move.unitsUsed, on };
    console.say(describePlan(move));
    for (const line of describeBill(bill)) console.say(line);
    const isStopped = !move.isClean && !move.isSwitched;
    if (isStopped)
      console.say('The listing was not moved. Check the differences; `--despite-differences` moves it all the same.');
    return isStopped ? 1 : undefined;
  });
}

/** Refuses options of `migrate` without it: the user would assume that a listing was moved. */
function refuseOfMove({ dryRun, to, request, despiteDifferences, back, current }: Options): void {
  const ofMove = {
    '--dry-run': dryRun,
    '--to': to,
    '--request': request,
    '--despite-differences': despiteDifferences,
    '--back': back,
    '--current': current,
  };
  const [said] = Object.entries(ofMove).filter(([, value]) => value !== undefined);
  if (said) throw new UsageInvalid(`${said[0]} needs \`pricebook listings migrate LISTING\`. Nothing was moved.`);
}

function addRequest(text: string, before: readonly string[] | undefined): readonly string[] {
  if (!/^\/[^\s]*$/.test(text))
    throw new InvalidArgumentError('It must be a path such as /category-page?categoryId=b%3B…&pageNo=1.');
  return [...(before ?? []), text];
}

const columns: Readonly<Record<string, (overview: ListingOverview) => unknown>> = {
  listing: ({ listing }) => typedName(listing.name),
  health: healthOf,
  latency: ({ answers }) => (answers?.probe?.latencyMs == null ? null : `${answers.probe.latencyMs} ms`),
  key: ({ isAsked, configured }) => (isAsked ? (configured.hasKey ? configured.keyVariable : 'none') : null),
  subscribed: ({ isAsked, answers }) => (isAsked ? subscribedWord[String(answers?.isSubscribed ?? null)] : null),
  requests: ({ spend, quota }) => spend && `${count(spend.requestsUsed)}${quota ? ` of ${count(quota)}` : ''}`,
  cost: ({ cost }) => cost && describeCost(cost),
  'leave by': ({ hostStatus }) => hostStatus?.deadline && deadlineWords(hostStatus.deadline),
  host: ({ host }) => host,
};

const subscribedWord: Readonly<Record<string, string>> = { true: 'yes', false: 'no', null: 'unknown' };
