import { detailsPerBatch } from '../src/ledger/details.ts';
import { planRepair } from '../src/ledger/repair-pages.ts';
import type { Run } from '../src/ledger/runs.ts';
import { pagesDeclared } from '../src/plan/paging.ts';
import { planRepairs, type Repair } from '../src/plan/repair.ts';
import { judge } from '../src/quality/certificate.ts';
import type { Survey } from '../src/quality/evidence.ts';
import { findDelistable } from '../src/quality/unseen.ts';
import type { JobContext } from './context.ts';

/** Rereads, samples, children level by level, asks: more rounds than that lead nowhere. */
export const maxRounds = 10;

type Needs = Pick<JobContext, 'db' | 'runs' | 'pages' | 'details' | 'settings'>;

/**
 * Adds the work that may still make a run complete: pages that let something slip, children of categories that fell short,
 * categories the taxonomy kept quiet about, and, when all of that is in order, questions after products that nobody listed.
 * False when there is nothing left to do.
 */
export async function mendRun(context: Needs, run: Run, survey: Survey): Promise<boolean> {
  if (run.mendingRounds >= maxRounds) return false;
  return (await addPages(context, run, survey)) || (await askAfterUnseen(context, run, survey));
}

async function addPages({ db, runs, pages, settings }: Needs, run: Run, survey: Survey): Promise<boolean> {
  const { evidence, samples, taxonomy, unlistedIds } = survey;
  const { runId, pagesPerBatch } = run;
  const left = Math.max(0, allowanceLeft(survey));
  const repairs = [
    ...planRepairs({
      ...survey,
      categories: [...evidence.categories, ...samples],
      maxIdLength: settings.categoryIdMaxLength[run.region],
      tolerance: settings.certify.tolerance,
      allowance: left,
    }),
    ...walkUnlisted(survey, left),
  ];
  const strangers = unlistedIds
    .filter((categoryId) => categoryId.length <= settings.categoryIdMaxLength[run.region])
    .slice(0, left);
  if (repairs.length === 0 && strangers.length === 0) return false;

  const numbers = [...taxonomy, ...evidence.categories, ...samples].map(({ categoryNo }) => categoryNo);
  const nextNo = Math.max(0, ...numbers) + 1;
  await db.tx(async (tx) => {
    if (!(await runs.mend(runId, 'listing', tx))) return;
    for (const repair of repairs) await planRepair(tx, pages, runId, repair, pagesPerBatch);
    await pages.planCategories(
      tx,
      runId,
      strangers.map((categoryId, i) => ({
        categoryId,
        categoryNo: nextNo + i,
        rootNo: nextNo + i,
        isSample: true,
      })),
    );
  });
  return true;
}

/** What the taxonomy does not name is walked when it has products, unless that takes more than is allowed on top. */
function walkUnlisted({ evidence }: Survey, allowance: number): Repair[] {
  return evidence.unlistedCategories
    .filter(
      ({ isSample, declaredLast, pageSize }) => isSample && pagesDeclared(declaredLast ?? 0, pageSize) <= allowance,
    )
    .map(({ categoryNo, categoryId }) => ({
      kind: 'walk',
      categoryNo,
      rootNo: categoryNo,
      children: [{ categoryNo, categoryId, parentNo: null }],
    }));
}

/**
 * Of a run that fell, and has nothing else against it, a sample of what it did not see. Of one that looks certified, a few of
 * each category and what would be delisted. Of any other nothing will be said to be gone, so nothing is asked.
 */
async function askAfterUnseen({ db, runs, details, settings }: Needs, run: Run, survey: Survey): Promise<boolean> {
  const { certify, delist } = settings;
  const { verdict, fall } = judge(survey.evidence, certify);
  const isUnproven = fall?.outcome === 'unproven' && fall.isAlone;
  if (verdict === 'partial' && !isUnproven) return false;
  const left = Math.max(0, allowanceLeft(survey));
  const missing = isUnproven ? survey.sampleToAsk : survey.worthAsking.map(({ productId }) => productId);
  const delistable = delist.isConfirmed && !isUnproven ? await findDelistable(db, run.runId, delist.after) : [];
  const asked = missing.slice(0, left);
  const confirmed = delistable.slice(0, left - asked.length);
  if (asked.length + confirmed.length === 0) return false;
  return db.tx(async (tx) => {
    const added =
      (await details.askAfter(tx, run.runId, asked, 'missing', detailsPerBatch)) +
      (await details.askAfter(tx, run.runId, confirmed, 'delist', detailsPerBatch));
    return added > 0 && (await runs.mend(run.runId, 'details', tx));
  });
}

function allowanceLeft({ evidence: { requests } }: Survey): number {
  return requests.allowance - requests.rereads - requests.samples - requests.asks;
}
