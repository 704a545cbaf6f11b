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
    if (within !== undefined && near === undefined)
      throw new UsageInvalid('--within is a distance from --near LAT,LON.');
    const partial = refresh ? await refreshNow(invocation) : undefined;
    // Who refreshes reads what changed; who asks for data is given it.
    if (!refresh || near !== undefined || formatOf(options) !== 'table') await list.run(options as never, invocation);
    return partial;
  },
});

/** Walks over the areas in the foreground. Returns the exit code where something is missing. */
function refreshNow({ config, clock, log, console, signal }: Invocation): Promise<number | undefined> {
  return using(compose(config, { clock, log, name: 'stores' }), (base) =>
    using(composeCrawler(base, { jobs: [] }), async ({ context }) => {
      if (!context.storeLocator.isConfigured) {
        throw new ConfigInvalid(['STORES_BASE_URL is not set: there is no store locator to ask']);
      }
      const opened = await openStoreRefresh(context, 'command');
      if (!opened) throw new RunRefused('Another process refreshes the stores at this moment.');
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
    throw new RunRefused(
      `The refresh of the stores waits: ${refresh?.pausedFor ?? 'another process goes on with it'}.`,
    );
  const { storesSeen, circles, storesNew, storesChanged, storesGone, verdict, reasons } = refresh;
  console.say(
    `${storesSeen} stores in ${circles} answers: ${storesNew} new, ${storesChanged} changed, ${storesGone} gone; ${verdict}.`,
  );
  for (const reason of reasons) console.say(`  ${reason}`);
  return verdict === 'partial' ? partialExitCode : undefined;
}
