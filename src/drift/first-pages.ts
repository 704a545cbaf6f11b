import type { Archive } from '../archive/archive.ts';
import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { Endpoint } from '../endpoints/index.ts';
import { maxPageAttempts } from '../ledger/pages.ts';
import type { RegionCode } from '../model/index.ts';
import { compareCensuses } from './compare.ts';
import type { Finding } from './finding.ts';
import { readMovedPrices } from './moved-prices.ts';
import { censusOf } from './night-census.ts';
import { censusBefore } from './read-drift.ts';
import { samplePayloads } from './sample.ts';

/** First pages of categories that are looked at before more is asked: with a second try of each, fewer than 20 requests. */
const pagesLookedAt = 8;

/** Fewer products that were listed before tell nothing of prices: their level has to. */
const fewestKnown = 10;

/** How far a run is with the first pages of its categories. */
interface FirstPages {
  /** The last category of which the first page is looked at; null: the run has no pages. */
  readonly lastCategory: number | null;
  /** Some of them are neither read nor given up. */
  readonly anyLeft: boolean;
  /** Nothing beyond them was claimed so far. */
  readonly isNow: boolean;
  /** Why none of them could be read, in the words of one, although the upstream answered each; null: it is otherwise. */
  readonly noneReadFor: string | null;
}

export async function readFirstPages(sql: Askable, runId: number): Promise<FirstPages> {
  const [pages] = await rowsOf<FirstPages>(
    sql,
    `with first as materialized (
       select category_no, status, attempts, error from ops.category_page
       where run_id = $1 and page_no = 1 and reading = 1 order by category_no limit $2
     )
     select max(category_no) as "lastCategory", coalesce(bool_or(status = 'planned'), false) as "anyLeft",
       not exists (
         select from ops.category_page
         where run_id = $1 and (status <> 'planned' or lease > 0)
           and not (page_no = 1 and reading = 1 and category_no <= (select max(category_no) from first))
       ) as "isNow",
       -- Whatever is asked for once or twice was answered; an upstream that is away is waited for.
       case when bool_and(status = 'failed' and attempts < $3) then max(error) end as "noneReadFor"
     from first`,
    [runId, pagesLookedAt, maxPageAttempts],
  );
  return pages!;
}

/**
 * What is read no more, or wrongly, of the pages that a run received, worst first: most of them break the contract, the
 * mapping misses fields that earlier nights gave, prices are a multiple. Empty where the archive keeps nothing: the ledger then tells afterwards.
 */
export async function findBreakingDrift(
  needs: { readonly db: Askable; readonly archive: Pick<Archive, 'get'> },
  run: { readonly runId: number; readonly region: RegionCode; readonly snapshotDate: string },
  endpoint: Endpoint<never, unknown>,
): Promise<readonly Finding[]> {
  const now = censusOf(endpoint, await samplePayloads(needs, run.runId, endpoint.name));
  if (now.payloads === 0) return [];
  const { before } = await censusBefore(needs.db, run.region, endpoint.name, run.snapshotDate);
  // A category that cannot be read is the certificate's concern.
  const isFew = now.unreadable > 0 && now.unreadable < now.payloads / 2;
  const breaking = compareCensuses(before, now).filter(
    ({ kind, severity, path }) =>
      severity === 'breaking' &&
      (kind === 'reads_less' || (kind === 'unreadable' && !isFew) || (kind === 'jump' && /price/i.test(path))),
  );
  const { known, moved } = await readMovedPrices(needs.db, run.runId);
  if (known < fewestKnown) return breaking;
  const others = breaking.filter(({ kind }) => kind !== 'jump');
  if (2 * moved <= known) return others;
  const said = `${moved} of ${known} products cost several times what they did, or a fraction of it`;
  return [
    ...others,
    breaking.find(({ kind }) => kind === 'jump') ?? { kind: 'jump', severity: 'breaking', path: 'price', said },
  ];
}
