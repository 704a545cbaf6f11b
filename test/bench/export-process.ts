import { parseArgs } from 'node:util';
import { compose, composeExporter } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';

// Started by export.ts: exports one night in its own process and reports duration and peak memory.
const { values } = parseArgs({
  options: { url: { type: 'string' }, home: { type: 'string' }, out: { type: 'string' }, date: { type: 'string' } },
});
const { url, home, out, date } = values as Record<'url' | 'home' | 'out' | 'date', string>;
const config = loadConfig({ DATABASE_URL: url, PRICEBOOK_HOME: home }, { cwd: home });
const base = await compose(config, { clock: systemClock, log: createLog({ level: 'error' }), name: 'bench' });
const { signal } = new AbortController();
const startedAt = performance.now();
const exported = await composeExporter(base, out)!.export(
  { region: 'uk', snapshotDate: date },
  { format: 'parquet', includePartial: false, signal },
);
const seconds = (performance.now() - startedAt) / 1_000;
await base.close();
process.send?.({ seconds, megabytes: process.resourceUsage().maxRSS / 1024, exported });
process.disconnect();
