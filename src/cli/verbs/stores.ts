import { ConfigInvalid, RunRefused, UsageInvalid } from '../../base/errors.ts';
import { plural } from '../../base/format.ts';
import { openStores } from '../../crawl/run/side-runs.ts';
import { endStop } from '../../gateway/limits/stops.ts';
import { refreshStores } from '../../publish/publish-stores.ts';
import { stores as question } from '../../questions/stores.ts';
import { defineVerb, type Invocation } from '../define-verb.ts';
import { type FormatOptions, formatOf } from '../output/rows.ts';
import { questionVerb } from '../question-verb.ts';
import { withGateway } from '../with-base.ts';
import { partialExitCode } from './crawl.ts';

interface Options extends FormatOptions {
  readonly refresh?: boolean;
  readonly near?: string;
  readonly within?: string;
}

const list = questionVerb(question);

export const verb = defineVerb<Options>({
  ...(list.options && { options: list.options }),
  declare(command) {
    command.option('--refresh', 'search STORE_AREAS with the store locator first');
    list.declare?.(command);
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
function refreshNow(invocation: Invocation): Promise<number | undefined> {
  const { console, signal } = invocation;
  return withGateway(invocation, async (context) => {
    if (!context.storeLocator.isConfigured)
      throw new ConfigInvalid(['STORES_BASE_URL is not set: no store locator is configured']);
    const run = await openStores(context, 'command');
    await endStop(context.db, 'run', String(run.runId));
    const published = await refreshStores(context, run, signal);
    signal.throwIfAborted();
    if (!published) throw new RunRefused('Another process has refreshed the stores.');
    const { storesSeen, circles, storesNew, storesChanged, storesGone, verdict, reasons } = published;
    console.say(
      `Stores seen: ${storesSeen}, new: ${storesNew}, changed: ${storesChanged}, gone: ${storesGone} ` +
        `(${plural(circles, 'request')}); ${verdict}.`,
    );
    for (const reason of reasons) console.say(`  ${reason}`);
    return verdict === 'partial' ? partialExitCode : undefined;
  });
}
