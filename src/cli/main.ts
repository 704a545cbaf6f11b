import { clockFrom, systemClock } from '../clock.ts';
import { compose, composeCrawler } from '../compose.ts';
import { loadConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { crawlNights } from './crawl-nights.ts';

const config = loadConfig();
const log = createLog({ level: process.argv.includes('-v') ? 'debug' : 'info' });
const nowArg = process.argv.indexOf('--now');
const clock = nowArg > 0 ? clockFrom(new Date(process.argv[nowArg + 1]!)) : systemClock;
const itemsArg = process.argv.indexOf('--items');
const base = await compose(config, { clock, log, name: 'crawl' });
const crawler = await composeCrawler(base, { simulator: { items: itemsArg > 0 ? Number(process.argv[itemsArg + 1]) : 2000 } });
const t0 = performance.now();
let last = '';
try {
  const runs = await crawlNights(base, crawler, { regions: process.argv.includes('--both') ? ['uk', 'ie'] : ['uk'], maxDetails: 20, signal: new AbortController().signal }, {
    onProgress(run, p) {
      const line = `${run.region} ${run.phase} ${JSON.stringify(p)}`;
      if (line !== last) console.error(((performance.now() - t0) / 1000).toFixed(1), line);
      last = line;
    },
  });
  console.log(runs);
} catch (e) {
  console.error(e);
}
await crawler.close(5000);
await base.close();
