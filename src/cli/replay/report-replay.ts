import type { Difference } from '../../publish/replay/differences.ts';
import type { Figures, ReplayedNight, ReplayReport, ReplayRequest } from '../../publish/replay/replay-archive.ts';
import type { Console } from '../console.ts';
import { formatTable } from '../output/table.ts';
import { count } from '../output/words.ts';

/** `uk 2026-03-01: complete, 19,902 listed`, followed by the replayed result if it differs. */
export function describeNight({ region, snapshotDate, live, replayed }: ReplayedNight): string {
  const [before, after] = [inWords(live), inWords(replayed)];
  return `${region} ${snapshotDate}: ${before}${before === after ? '' : ` → ${after}`}`;
}

/** Prints the result of a replay. */
export async function reportReplay({ parts }: ReplayRequest, report: ReplayReport, console: Console): Promise<void> {
  const { nights, differences, healing, isApplied, oldCopy, rows } = report;
  const isSame = rows.length === 0 && nights.every(({ live, replayed }) => inWords(live) === inWords(replayed));
  if (differences.length > 0) await console.data(formatTable(columns, differences.map(cellsOf), 72));
  for (const line of [...rowsInWords(report), ...quarantineInWords(healing, isApplied)]) console.say(line);
  for (const line of heldInWords(report)) console.say(line);
  if (report.parts.length > parts.length)
    console.say('A held night is published completely, so its details were replayed as well.');
  if (isSame) console.say('The replay gives the same result: nothing differs.');
  else if (!isApplied) console.say('Nothing was changed; --apply replaces the current data with this result.');
  else if (oldCopy === null) console.say('Applied.');
  else console.say(`Applied. The schema ${oldCopy} keeps the replaced rows until \`pricebook replay --drop-old\`.`);
}

const columns = ['table', 'field', 'values', 'products', 'for example', 'current', 'replayed'];

function cellsOf({ table, field, count: values, products, samples }: Difference): unknown[] {
  const [sample] = samples;
  const where = sample && [sample.region, sample.productId ?? sample.title, sample.night].filter(Boolean).join(' ');
  return [table, field, values, products, where, sample?.live, sample?.replayed];
}

function inWords({ status, verdict, productsListed }: Figures): string {
  if (status !== 'published' || verdict === null) return status;
  return `${verdict.replaceAll('_', ' ')}, ${count(productsListed ?? 0)} listed`;
}

function rowsInWords({ rows }: ReplayReport): string[] {
  return rows.map(
    ({ table, added, changed, removed }) =>
      `${table}: ${count(added)} rows added, ${count(changed)} changed, ${count(removed)} removed`,
  );
}

/** Lines about held nights and their state after the replay. */
function heldInWords({ nights, isApplied }: ReplayReport): string[] {
  return nights
    .filter(({ live }) => live.status === 'held')
    .map(({ runId, region, snapshotDate, replayed }) => {
      const run = `Run ${runId} (${region} ${snapshotDate})`;
      if (replayed.status !== 'held') return `${run} was held and ${isApplied ? 'is' : 'would be'} published.`;
      return `${run} stays held and unpublished. \`pricebook certify --run ${runId}\` shows why.`;
    });
}

function quarantineInWords({ healed, rejected }: ReplayReport['healing'], isApplied: boolean): string[] {
  const is = isApplied ? '' : 'would ';
  return [
    ...(healed > 0 ? [`${count(healed)} elements ${is}leave the quarantine.`] : []),
    ...(rejected > 0 ? [`${count(rejected)} elements ${is}go into quarantine.`] : []),
  ];
}
