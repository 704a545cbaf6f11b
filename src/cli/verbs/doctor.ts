import { defineVerb } from '../define-verb.ts';
import { examine } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';

interface Options {
  readonly ask?: boolean;
  readonly json?: boolean;
}

export const doctor = defineVerb<Options>({
  name: 'doctor',
  summary: 'check whether everything is in order, without crawling',
  declare(command) {
    command
      .option('--ask', 'also spend one request to see whether the upstream answers')
      .option('--json', 'print JSON');
  },

  async run({ ask = false, json }, invocation) {
    const { console } = invocation;
    const findings: Finding[] = [];
    for await (const finding of examine(invocation, { ask })) {
      findings.push(finding);
      if (!json) await console.data(lineOf(finding));
    }
    const errors = findings.filter(({ level }) => level === 'error');
    if (json) {
      const listed = findings.map(({ level, about, says }) => ({ level, about, says }));
      await console.data(`${JSON.stringify({ version: 1, healthy: errors.length === 0, findings: listed })}\n`);
    }
    return Math.max(0, ...errors.map(({ exitCode }) => exitCode ?? 1));
  },
});

const marks: Readonly<Record<Finding['level'], string>> = { ok: 'ok', warning: 'WARNING', error: 'ERROR' };

function lineOf({ level, about, says }: Finding): string {
  return `${marks[level].padEnd(9)}${about.padEnd(15)}${says}\n`;
}
