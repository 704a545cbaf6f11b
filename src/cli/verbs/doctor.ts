import { defineVerb } from '../define-verb.ts';
import { checkData, type Diagnosis, examine } from '../doctor.ts';
import { flag } from '../option-values.ts';
import { tableOf } from '../output/table.ts';
import { printFound } from '../read-verb.ts';

export const verb = defineVerb({
  options: {
    ask: flag('--ask', 'also verify host and key of each configured listing with one request'),
    data: flag('--data', 'instead check the data: intervals, certificates, ledger, counts').conflicts('ask'),
    json: flag('--json', 'print JSON'),
  },

  async run({ ask = false, data = false, json = false }, invocation) {
    const found = await (data ? checkData(invocation) : examine(invocation, { ask }));
    // The highest exit code wins: 78, 75, 69, 1.
    const code = Math.max(...found.map(({ exitCode }) => exitCode));
    const findings = found.map(({ exitCode: _, ...finding }) => finding);
    const text = tableOf(columns, found, 1_000);
    await printFound({ json: { version: 1, healthy: code === 0, findings }, text }, { json }, invocation);
    return code;
  },
});

const columns = Object.entries<(diagnosis: Diagnosis) => unknown>({
  result: ({ level }) => (level === 'ok' ? level : level.toUpperCase()),
  check: ({ about }) => about,
  finding: ({ says }) => says,
});
