import { compose } from '../../compose.ts';
import { describeAmount } from '../../listings/index.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { listingJson } from '../listings/listing-json.ts';
import { deadlineWords, healthOf, typedName, warningsOf } from '../listings/listing-words.ts';
import { type ListingOverview, readListingOverviews } from '../listings/read-listings.ts';
import { formatTable } from '../output/table.ts';
import { count } from '../output/words.ts';

interface Options {
  readonly json?: boolean;
}

export const listings = defineVerb<Options>({
  name: 'listings',
  summary: 'show every listing: where it is asked, whether it answers, what is spent',
  declare(command) {
    command.option('--json', 'print JSON');
  },

  run({ json }, { config, clock, log, console }) {
    return using(compose(config, { clock, log, name: 'listings' }), async (base) => {
      const overviews = await readListingOverviews(base);
      if (json) {
        await console.data(`${JSON.stringify({ version: 1, listings: overviews.map(listingJson) })}\n`);
        return undefined;
      }
      await console.data(formatTable(Object.keys(columns), overviews.map(cellsOf), { width: console.dataWidth() }));
      for (const warning of overviews.flatMap(warningsOf)) console.say(warning);
      for (const { listing, isAsked } of overviews) {
        if (!isAsked) console.say(`${typedName(listing.name)} is not configured: ${listing.about}.`);
      }
      return undefined;
    });
  },
});

const columns: Readonly<Record<string, (overview: ListingOverview) => unknown>> = {
  listing: ({ listing }) => typedName(listing.name),
  health: healthOf,
  latency: ({ answers }) => (answers?.probe?.latencyMs == null ? null : `${answers.probe.latencyMs} ms`),
  key: ({ isAsked, configured }) => (isAsked ? (configured.hasKey ? configured.keyVariable : 'none') : null),
  subscribed: ({ isAsked, answers }) => (isAsked ? subscribedWord[String(answers?.isSubscribed ?? null)] : null),
  requests: ({ spend, quota }) => spend && `${count(spend.requestsSpent)}${quota ? ` of ${count(quota)}` : ''}`,
  cost: ({ cost }) => cost && describeAmount(cost),
  'leave by': ({ standing }) => standing?.deadline && deadlineWords(standing.deadline),
  host: ({ host }) => host,
};

const subscribedWord: Readonly<Record<string, string>> = { true: 'yes', false: 'no', null: 'not known' };

function cellsOf(overview: ListingOverview): unknown[] {
  return Object.values(columns).map((cell) => cell(overview));
}
