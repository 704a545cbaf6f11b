import { setTimeout as sleep } from 'node:timers/promises';
import { Argument } from 'commander';
import { movesReliableMs } from '../../app/compose/addresses.ts';
import { count } from '../../base/format.ts';
import { describeCost } from '../../crawl/run/cost.ts';
import { listings as registry } from '../../source/listings/index.ts';
import type { ValuesOf, Verb } from '../define-verb.ts';
import { deadlineWords, type ListingOverview, readOverviews, typedName } from '../listings.ts';
import { migrateListing, moveOptions, takeBack } from '../migrate-listing.ts';
import { flag } from '../option-values.ts';
import { tableOf } from '../output/table.ts';
import { readVerb } from '../read-verb.ts';

const list = readVerb({
  async read(_options, base) {
    const listings = await readOverviews(base);
    return {
      json: { version: 1, listings },
      text: tableOf(columns, listings),
      notes: listings.flatMap(({ warnings }) => warnings),
    };
  },
});

const declared = {
  ...moveOptions,
  back: flag('--back', 'undo the last move of the listing').conflicts(Object.keys(moveOptions)),
};

const migrate = readVerb<ValuesOf<typeof declared> & { readonly operands: readonly [typed: string] }>({
  options: declared,
  declare(command) {
    const names = Object.values(registry).map(({ name }) => typedName(name));
    command.addArgument(new Argument('<listing>', 'the listing to migrate').choices(names));
  },

  async read({ operands: [typed], back, ...options }, base, { signal }) {
    const listing = Object.values(registry).find(({ name }) => typedName(name) === typed)!;
    const about = { version: 1, listing: listing.name };
    if (back) {
      const address = await takeBack(base, listing);
      await sleep(movesReliableMs);
      const text = `All processes use ${address.host} for ${typed} again.\n`;
      return { json: { ...about, switched: true, ...address }, text };
    }
    const { from, to, checked, switched } = await migrateListing(base, listing, options, signal);
    const json = { ...about, switched, from, to, checked };
    const lines = checked.map(({ request, problem }) =>
      problem === null ? `ok     ${request}\n` : `BROKEN ${request}: ${problem}\n`,
    );
    if (!switched) {
      const text = `${lines.join('')}${typed} stays at ${from.host}${options.dryRun ? ': this was a dry run' : ''}.\n`;
      if (checked.every(({ problem }) => problem === null)) return { json, text };
      const note = 'The listing was not moved. Check the answers; `--despite-differences` moves it all the same.';
      return { json, text, notes: [note], code: 1 };
    }
    // Until every process uses the new host, so that callers can rely on it.
    await sleep(movesReliableMs);
    const { warnings } = (await readOverviews(base)).find((each) => each.listing === listing.name)!;
    return {
      json,
      text: `${lines.join('')}All processes now use ${to.host} for ${typed}.\n`,
      notes: [`\`pricebook listings migrate ${typed} --back\` takes the move back.`, ...warnings],
    };
  },
});

export const verb: Verb = {
  ...list,
  parts: [
    { name: 'list', summary: 'show address, health and cost of every listing', verb: list },
    { name: 'migrate', summary: 'probe the new host of a listing, and switch to it', verb: migrate },
  ],
};

const columns = Object.entries<(listing: ListingOverview) => unknown>({
  listing: ({ listing }) => typedName(listing),
  health: ({ health }) => health.state,
  latency: ({ health: { latencyMs } }) => latencyMs && `${latencyMs} ms`,
  key: ({ asked, key }) => (asked ? (key.present ? key.variable : 'none') : null),
  subscribed: ({ asked, subscribed }) => (asked ? subscribedWord[String(subscribed)] : null),
  requests: ({ requestsSpent: spent, monthlyQuota }) =>
    spent === null ? null : `${count(spent)}${monthlyQuota ? ` of ${count(monthlyQuota)}` : ''}`,
  cost: ({ cost }) => cost && describeCost(cost),
  'leave by': ({ deadline }) => deadline && deadlineWords(deadline),
  host: ({ host }) => host,
});

const subscribedWord: Readonly<Record<string, string>> = { true: 'yes', false: 'no', null: 'unknown' };
