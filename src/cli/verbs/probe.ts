import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Base, compose, composeCrawler } from '../../app/compose.ts';
import { UsageInvalid } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { regionCodes } from '../../base/model/index.ts';
import { keepProfile } from '../../crawl/ledger/listing-profiles.ts';
import { mostProbeRequests, type ProbeReport, probeContracts } from '../../crawl/probe-contracts.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { formatTable } from '../output/table.ts';

interface Options {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export const probe = defineVerb<Options>({
  declare(command) {
    command.option('--yes', 'do not ask for confirmation').option('--json', 'print JSON');
  },

  async run({ yes = false, json }, { config, clock, log, console, signal }) {
    if (!yes && !(await isAgreed(signal))) {
      throw new UsageInvalid(
        `This sends up to ${mostProbeRequests} requests. Confirm with --yes. No request was sent.`,
      );
    }
    const requests = countdown(mostProbeRequests);
    return using(compose(config, { clock, log, name: 'probe' }), (base) =>
      using(composeCrawler(counting(base, requests.one), { jobs: [] }), async ({ context }) => {
        const report = await probeContracts(context, { signal, spent: requests.spent });
        const now = clock.now();
        const host = await context.hostOf('grocery');
        for (const region of regionCodes) {
          const { pageSize, answers } = report.regions[region];
          if (Object.keys(answers).length === 0) continue;
          await keepProfile(base.db, { listing: 'grocery', region, host, probedAt: now, pageSize, report: answers });
        }
        const text = JSON.stringify(reportJson(report, host, now), null, 2);
        const folder = join(base.config.home, 'probes');
        makeFolder(folder);
        const file = join(folder, `${now.toISOString().replaceAll(':', '-')}.json`);
        await writeFile(file, `${text}\n`, { flag: 'wx' });
        if (json) await console.data(`${text}\n`);
        else await console.data(tables(report, console.dataWidth()));
        console.say(`The report is in ${file}.`);
        if (report.stoppedFor !== null) console.say(`Stopped early: ${report.stoppedFor}`);
        const isBroken = report.checks.some(({ outcome }) => outcome === 'broken');
        return report.exitCode || (isBroken ? 1 : undefined);
      }),
    );
  },
});

/** Counts every request, including retries of the gateway client. */
function counting(base: Base, one: () => void): Base {
  const request: Base['measure']['request'] = (measured) => {
    one();
    base.measure.request(measured);
  };
  return { ...base, measure: { ...base.measure, request } };
}

function countdown(most: number) {
  const spent = new AbortController();
  let left = most;
  const one = () => {
    left -= 1;
    if (left === 0) spent.abort();
  };
  return { spent: spent.signal, one };
}

/** Asks for confirmation at the terminal; without a terminal the answer is no. */
async function isAgreed(signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question(`This sends up to ${mostProbeRequests} requests. Continue? [y/N] `, {
      signal,
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    asking.close();
  }
}

function reportJson({ checks, limits, regions, stoppedFor }: ProbeReport, host: string, now: Date) {
  return {
    version: 1,
    host,
    probed_at: now.toISOString(),
    stopped_for: stoppedFor,
    checks,
    limits,
    regions: regionCodes.map((region) => ({
      region,
      page_size: regions[region].pageSize,
      answers: regions[region].answers,
    })),
  };
}

function shownAnswer(answer: unknown): unknown {
  if (answer === null) return 'unknown';
  if (Array.isArray(answer) && answer.length === 0) return 'none';
  return typeof answer === 'object' ? JSON.stringify(answer) : answer;
}

function tables({ checks, limits, regions }: ProbeReport, width: number | null): string {
  const checked = checks.map(({ endpoint, asked, outcome, said }) => [endpoint, asked, outcome, said]);
  const about = [
    ...regionCodes.map((region) => [region, regions[region].answers] as const),
    ['limits', limits] as const,
  ];
  const answered = about.flatMap(([subject, answers]) =>
    Object.entries(answers).map(([what, answer]) => [subject, what.replaceAll('_', ' '), shownAnswer(answer)]),
  );
  const format = { longestCell: 90, width };
  return [
    formatTable(['endpoint', 'asked', 'contract', 'what'], checked, format),
    formatTable(['about', 'question', 'answer'], answered, format),
  ].join('\n');
}
