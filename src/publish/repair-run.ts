import type { CrawlContext } from '../crawl/context.ts';
import { pagesAllowed } from '../crawl/forecast-run.ts';
import { planRepair } from '../crawl/ledger/repair-pages.ts';
import { maxRepairRounds, move } from '../crawl/ledger/run-life.ts';
import type { Run } from '../crawl/ledger/runs.ts';
import { pagesDeclared } from '../crawl/plan/paging.ts';
import { planRepairs, type Repair } from '../crawl/plan/repair.ts';
import { isRepeatedElsewhere } from '../crawl/plan/repeating.ts';
import { judge } from './quality/certificate.ts';
import type { Coverage } from './quality/evidence/run-evidence.ts';

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'pages' | 'details' | 'settings'>;

/**
 * Plans work that may still complete a run: pages that may lack products, children of categories that fell short,
 * categories outside the taxonomy and, if all that is in order, own pages of unseen products. Returns false if nothing
 * is left to do.
 */
export async function repairRun(context: Needs, run: Run, coverage: Coverage): Promise<boolean> {
  if (run.repairRounds >= maxRepairRounds) return false;
  return (await addPages(context, run, coverage)) || (await askAfterUnseen(context, run, coverage));
}

async function addPages(context: Needs, run: Run, coverage: Coverage): Promise<boolean> {
  const { db, pages, settings } = context;
  const { evidence, samples, taxonomy, idsNotInTaxonomy } = coverage;
  const maxIdLength = settings.categoryIdMaxLength[run.region];
  const { runId } = run;
  const isRotated = evidence.deferred.length > 0;
  const left = Math.max(
    0,
    Math.min(allowanceLeft(coverage), isRotated ? await leftTonight(context, run) : Number.POSITIVE_INFINITY),
  );
  const planned = planRepairs({
    ...coverage,
    categories: [...evidence.categories, ...samples],
    maxIdLength,
    tolerance: settings.certify.tolerance,
    allowance: left,
  });
  // A night with deferred categories is partial anyway, so requests go to other categories instead of children.
  const repairs = isRotated
    ? planned.filter(({ kind }) => kind === 'reread')
    : [...planned, ...walkNotInTaxonomy(coverage, left), ...walkRepeating(coverage, left)];
  const samplesNotInTaxonomy = isRotated
    ? []
    : idsNotInTaxonomy.filter((categoryId) => categoryId.length <= maxIdLength).slice(0, left);
  const childrenToAsk = coverage.childrenToAsk.filter(({ categoryId }) => categoryId.length <= maxIdLength);
  if (repairs.length + samplesNotInTaxonomy.length + childrenToAsk.length === 0) return false;

  const numbers = [...taxonomy, ...evidence.categories, ...samples].map(({ categoryNo }) => categoryNo);
  const nextNo = Math.max(0, ...numbers) + 1;
  await db.tx(async (tx) => {
    if (!(await move(tx, 'repairListing', run))) return;
    for (const repair of repairs) await planRepair(tx, pages, runId, repair);
    // After the repairs: a child that is walked must not become a sample.
    await pages.planCategories(
      tx,
      runId,
      childrenToAsk.map(({ categoryNo, categoryId, rootNo }) => ({ categoryNo, categoryId, rootNo, isSample: true })),
    );
    await pages.planCategories(
      tx,
      runId,
      samplesNotInTaxonomy.map((categoryId, i) => ({
        categoryId,
        categoryNo: nextNo + i,
        rootNo: nextNo + i,
        isSample: true,
      })),
    );
  });
  return true;
}

async function leftTonight(context: Needs, run: Run): Promise<number> {
  const { allowed, sent } = await pagesAllowed(context, run);
  return allowed === null ? Number.POSITIVE_INFINITY : allowed - sent;
}

/** Walks categories outside the taxonomy that have products, unless that exceeds the allowance. */
function walkNotInTaxonomy({ evidence }: Coverage, allowance: number): Repair[] {
  return evidence.categoriesNotInTaxonomy
    .filter(
      ({ isSample, declaredLast, pageSize }) => isSample && pagesDeclared(declaredLast ?? 0, pageSize) <= allowance,
    )
    .map(walkWhole);
}

function walkWhole({ categoryNo, categoryId }: { categoryNo: number; categoryId: string }): Repair {
  return { kind: 'walk', categoryNo, rootNo: categoryNo, children: [{ categoryNo, categoryId, parentNo: null }] };
}

/** Walks a repeating category if any evidence contradicts it, or the night has problems. */
function walkRepeating({ evidence: { repeating, isTroubled } }: Coverage, allowance: number): Repair[] {
  const toAsk = repeating.reduce((total, { unseen }) => total + unseen.toAsk.length, 0);
  return repeating
    .filter((category) => isTroubled || toAsk > allowance || !isRepeatedElsewhere(category))
    .map(walkWhole);
}

/**
 * Plans own pages of unseen products. After an unproven fall that is the only problem: a random sample. For a run that
 * looks certified: a few per category, and all of categories that were not walked. For any other run: none, because no
 * product will be reported as gone.
 */
async function askAfterUnseen({ db, details, settings }: Needs, run: Run, coverage: Coverage): Promise<boolean> {
  const { repeating } = coverage.evidence;
  const { verdict, fall } = judge({ ...coverage.evidence, repeating: [] }, settings.certify);
  const isUnproven = fall?.outcome === 'unproven' && fall.isAlone;
  if (verdict === 'partial' && !isUnproven) return false;
  const few = [
    ...repeating.flatMap(({ unseen }) => unseen.toAsk),
    ...coverage.worthAsking.map(({ productId }) => productId),
  ];
  const missing = isUnproven ? coverage.sampleToAsk : [...new Set(few)];
  const asked = missing.slice(0, Math.max(0, allowanceLeft(coverage)));
  if (asked.length === 0) return false;
  return db.tx(async (tx) => {
    const added = await details.askAfter(tx, run.runId, asked);
    return added > 0 && (await move(tx, 'repairDetails', run));
  });
}

function allowanceLeft({ evidence: { requests } }: Coverage): number {
  return requests.allowance - requests.rereads - requests.samples - requests.asks;
}
