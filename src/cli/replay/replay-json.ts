import type { Figures, ReplayReport, ReplayRequest } from '../../publish/replay/replay-archive.ts';

/** JSON of `pricebook replay --json`; names as in the database. */
export function replayJson({ from, to, regions }: ReplayRequest, report: ReplayReport) {
  const { nights, rows, differences, healing, isApplied, oldCopy } = report;
  return {
    version: 2,
    from,
    to,
    regions,
    nights: nights.map(({ runId, region, snapshotDate, live, replayed }) => ({
      run_id: runId,
      region,
      snapshot_date: snapshotDate,
      live: figuresJson(live),
      replayed: figuresJson(replayed),
    })),
    rows,
    differences: differences.map(({ table, field, count, products, samples }) => ({
      table,
      field,
      count,
      products,
      samples: samples.map(({ region, productId, title, night, live, replayed }) => ({
        region,
        product_id: productId,
        title,
        snapshot_date: night,
        live,
        replayed,
      })),
    })),
    quarantine: healing,
    applied: isApplied,
    old_copy: oldCopy,
  };
}

function figuresJson({ status, verdict, productsListed, productsAvailable }: Figures) {
  return { status, certificate: verdict, products_listed: productsListed, products_available: productsAvailable };
}
