import type { Run } from '../src/ledger/runs.ts';
import { suspectedCaps } from '../src/plan/cap.ts';
import { type Published, publish } from '../src/publish/publish.ts';
import { judge } from '../src/quality/certificate.ts';
import type { CategoryEvidence } from '../src/quality/evidence.ts';
import type { StagedNode } from '../src/stage/taxonomy.ts';
import type { JobContext } from './context.ts';

export interface Conclusion extends Published {
  readonly verdict: 'complete' | 'complete_within_tolerance' | 'partial';
}

/** All was read that could be: certifies the run by what was seen and publishes it. Live and replayed runs end here. */
export async function conclude(
  { db, settings, clock }: Pick<JobContext, 'db' | 'settings' | 'clock'>,
  { runId, epoch }: Pick<Run, 'runId' | 'epoch'>,
  taxonomy: readonly StagedNode[],
  walked: readonly CategoryEvidence[],
): Promise<Conclusion> {
  const categories = walked.filter(({ categoryNo, rootNo }) => categoryNo === rootNo);
  const uncoveredLeaves = uncovered(
    taxonomy,
    categories.map((category) => category.categoryNo),
  );
  const caps = suspectedCaps(walked.map(({ declaredLast }) => declaredLast));
  const cappedCategories = walked
    .filter(({ declaredLast, isDescended }) => declaredLast !== null && caps.has(declaredLast) && !isDescended)
    .map(({ path }) => path);
  const evidence = { categoriesInTaxonomy: taxonomy.length, uncoveredLeaves, cappedCategories, categories };
  const { verdict, reasons } = judge(evidence);
  const published = await publish(db, {
    runId,
    epoch,
    certified: { verdict, reasons, evidence },
    delistAfter: settings.delist.after,
    now: clock.now(),
  });
  return { verdict, ...published };
}

/** Leaves below nothing that was walked. */
function uncovered(
  taxonomy: readonly { readonly categoryNo: number; readonly parentNo: number | null; readonly path: string }[],
  walked: readonly number[],
): string[] {
  const byNo = new Map(taxonomy.map((node) => [node.categoryNo, node]));
  const parents = new Set(taxonomy.map((node) => node.parentNo));
  const isWalked = new Set(walked);
  const isCovered = (no: number | null): boolean =>
    no !== null && (isWalked.has(no) || isCovered(byNo.get(no)?.parentNo ?? null));
  return taxonomy
    .filter((node) => !parents.has(node.categoryNo) && !isCovered(node.categoryNo))
    .map((node) => node.path);
}
