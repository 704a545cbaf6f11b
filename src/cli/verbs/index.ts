import type { Verb } from '../define-verb.ts';
import { asof } from './asof.ts';
import { certify } from './certify.ts';
import { changes } from './changes.ts';
import { config } from './config.ts';
import { crawl } from './crawl.ts';
import { doctor } from './doctor.ts';
import { drift } from './drift.ts';
import { exportNights } from './export.ts';
import { fx } from './fx.ts';
import { gap } from './gap.ts';
import { listings } from './listings.ts';
import { migrate } from './migrate.ts';
import { plan } from './plan.ts';
import { priceIndex } from './price-index.ts';
import { probe } from './probe.ts';
import { product } from './product.ts';
import { promotions } from './promotions.ts';
import { prune } from './prune.ts';
import { quarantine } from './quarantine.ts';
import { replay } from './replay.ts';
import { reset } from './reset.ts';
import { runs } from './runs.ts';
import { schedule } from './schedule.ts';
import { search } from './search.ts';
import { serve } from './serve.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { stores } from './stores.ts';
import { work } from './work.ts';

/** Every command, in the order of `pricebook --help`. */
export const verbs: readonly Verb[] = [
  start,
  crawl,
  work,
  schedule,
  serve,
  status,
  runs,
  plan,
  listings,
  certify,
  asof,
  changes,
  shrink,
  product,
  priceIndex,
  promotions,
  gap,
  fx,
  stores,
  search,
  exportNights,
  drift,
  probe,
  quarantine,
  replay,
  prune,
  migrate,
  simulate,
  config,
  doctor,
  reset,
];
