import { ClaimLost, kindOf } from '../base/errors.ts';
import type { CategoryNode } from '../base/model/index.ts';
import type { CrawlContext } from './context.ts';
import { ingestOne } from './ingest.ts';
import { leaveOutCategories, planCategories } from './ledger/pages.ts';
import { chooseCategories } from './plan/choose-categories.ts';
import { setBudget } from './run/budget.ts';
import type { Run } from './run/runs.ts';
import { move } from './run/transitions.ts';
import { quarantine } from './stage/quarantine.ts';
import { stageTaxonomy } from './stage/taxonomy.ts';

/**
 * Reads the category tree, fixes how many requests the run may send, chooses the fewest categories that cover the tree,
 * and plans their first pages.
 */
export async function planNight(context: CrawlContext, run: Run, signal: AbortSignal): Promise<void> {
  const { db, clock, ask, writeSpend, ingest, settings } = context;
  const { runId } = run;
  const endpoint = context.endpointsOf[run.region].taxonomy;
  const read = () => ask(endpoint, undefined, runId, signal);
  // As a unit, it is asked for twice.
  const answer = await read().catch((error: unknown) =>
    kindOf(error) === 'unreadable' ? read() : Promise.reject(error),
  );
  const { records, rejected } = await ingestOne(ingest, endpoint, { params: undefined, answer }, runId);
  // The budget begins with what this answer said of the quota, and with no permission from before it.
  await writeSpend();
  const maxIdLength = settings.categoryIdMaxLength[run.region];
  await db.tx(async (tx) => {
    // Must come first: a late duplicate must not renumber categories whose pages are being read.
    if (!(await move(tx, 'startCategories', run))) throw new ClaimLost(`The taxonomy of run ${runId}`);
    const staged = await stageTaxonomy(tx, runId, records.nodes);
    const numberOf = new Map(staged.map((category) => [category.categoryId, category.categoryNo]));
    const maxRequests = await setBudget(tx, run, { ...settings, now: clock.now() });
    const { toRead, repeating } = await chooseCategories(tx, run, records.nodes, { maxIdLength, maxRequests });
    const numbered = ({ categoryId }: CategoryNode) => ({ categoryId, categoryNo: numberOf.get(categoryId)! });
    await planCategories(
      tx,
      runId,
      toRead.map(numbered).map((category) => ({ ...category, rootNo: category.categoryNo })),
    );
    await leaveOutCategories(tx, runId, repeating.map(numbered));
    const { sha256: payloadSha256, receivedAt: seenAt } = answer.payload;
    const quarantined = rejected.map((rejection) => ({ rejection, payloadSha256, seenAt }));
    await quarantine(tx, run, endpoint.name, quarantined);
  });
}
