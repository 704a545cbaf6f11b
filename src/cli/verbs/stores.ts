import { compose, composeCrawler } from '../../app/compose.ts';
import { ConfigInvalid, RunRefused, UsageInvalid } from '../../base/errors.ts';
import { openStoreRefresh } from '../../crawl/open-store-refresh.ts';
import { refreshStores } from '../../crawl/refresh-stores.ts';
import { stores as question } from '../../questions/stores.ts';
import { using } from '../closing.ts';
import { defineVerb, type Invocation } from '../define-verb.ts';
import { type FormatOptions, formatOf } from '../output/rows.ts';
import { questionVerb } from '../question-verb.ts';
import { partialExitCode } from './crawl.ts';

interface Options extends FormatOptions {
  readonly refresh?: boolean;
  readonly near?: string;
  readonly within?: string;
}

const list = questionVerb('stores', question);

export const stores = defineVerb<Options>({
  declare(command) {
    command.option('--refresh', 'search STORE_AREAS with the store locator first');
    list.declare(command);
  },

  async run(options, invocation) {
    const { refresh = false, near, within } = options;
    if (within !== undefined && near === undefined) throw new UsageInvalid('--within needs --near LAT,LON.');
    const partial = refresh ? await refreshNow(invocation) : undefined;
    // With --refresh the report replaces the table, unless data were requested explicitly.
    if (!refresh || near !== undefined || formatOf(options) !== 'table') await list.run(options as never, invocation);
    return partial;
  },
});

/** Refreshes the stores in the foreground. Returns an exit code if the result is partial. */
function refreshNow({ config, clock, log, console, signal }: Invocation): Promise<number | undefined> {
  return using(compose(config, { clock, log, name: 'stores' }), (base) =>
    using(composeCrawler(base, { jobs: [] }), async ({ context }) => {
      if (!context.storeLocator.isConfigured) {
        throw new ConfigInvalid(['STORES_BASE_URL is not set: no store locator is configured']);
      }
      const opened = await openStoreRefresh(context, 'command');
      if (!opened) throw new RunRefused('Another process is refreshing the stores.');
      const { refreshId } = opened;
      await context.stores.pause(refreshId, null, null);
      const pauses: Error[] = [];
      await refreshStores(context, refreshId, signal, { onPause: (why) => pauses.push(why) });
      signal.throwIfAborted();
      const [why] = pauses;
      if (why) throw why;
      return report(await context.stores.byId(refreshId), console);
    }),
  );
}

type Refresh = Awaited<ReturnType<Awaited<ReturnType<typeof composeCrawler>>['context']['stores']['byId']>>;

function report(refresh: Refresh, console: Invocation['console']): number | undefined {
  if (refresh?.status !== 'published')
    throw new RunRefused(`The refresh of the stores waits: ${refresh?.pausedFor ?? 'another process continues it'}.`);
  const { storesSeen, circles, storesNew, storesChanged, storesGone, verdict, reasons } = refresh;
  console.say(
    `Stores seen: ${storesSeen}, new: ${storesNew}, changed: ${storesChanged}, gone: ${storesGone} ` +
      `(${circles} ${circles === 1 ? 'request' : 'requests'}); ${verdict}.`,
  );
  for (const reason of reasons) console.say(`  ${reason}`);
  return verdict === 'partial' ? partialExitCode : undefined;
}
