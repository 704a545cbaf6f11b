import { Option } from 'commander';
import { defineVerb } from '../define-verb.ts';
import type { Diagnosis } from '../doctor/diagnosis.ts';
import { checkData, examine } from '../doctor/examine.ts';
import { withOwnCommand } from '../hint.ts';

interface Options {
  readonly ask?: boolean;
  readonly data?: boolean;
  readonly json?: boolean;
}

export const doctor = defineVerb<Options>({
  declare(command) {
    command
      .option('--ask', 'also verify host and key of each configured listing with one request')
      .addOption(
        new Option('--data', 'instead check the data: intervals, certificates, ledger, counts').conflicts('ask'),
      )
      .option('--json', 'print JSON');
  },

  async run({ ask = false, data = false, json }, invocation) {
    const { console } = invocation;
    const diagnoses: Diagnosis[] = [];
    for await (const diagnosis of data ? await checkData(invocation) : examine(invocation, { ask })) {
      diagnoses.push(diagnosis);
      if (!json) await console.data(withOwnCommand(lineOf(diagnosis)));
    }
    const errors = diagnoses.filter(({ level }) => level === 'error');
    if (json) {
      const listed = diagnoses.map(({ level, about, says }) => ({ level, about, says }));
      await console.data(`${JSON.stringify({ version: 1, healthy: errors.length === 0, findings: listed })}\n`);
    }
    // The highest exit code wins: 78, 75, 69, 1.
    return Math.max(0, ...errors.map(({ exitCode }) => exitCode ?? 1));
  },
});

const marks: Readonly<Record<Diagnosis['level'], string>> = { ok: 'ok', warning: 'WARNING', error: 'ERROR' };

function lineOf({ level, about, says }: Diagnosis): string {
  return `${marks[level].padEnd(9)}${about.padEnd(15)}${says}\n`;
}
