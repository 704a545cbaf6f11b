import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filesBelow } from './source-files.ts';

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, { readonly permissions?: unknown }>>;
}

describe('.github', () => {
  const workflows = filesBelow('.github/workflows', '.yml').map(({ path, text }) => {
    return { path, text, workflow: parse(text) as Workflow };
  });

  it('workflows pin every action to a commit, and name its version', () => {
    const lines = workflows.flatMap(({ text }) => text.split('\n').filter((line) => /\buses:/.test(line)));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it('workflows may only read', () => {
    for (const { path, workflow, text } of workflows) {
      expect(workflow.permissions, path).toEqual({ contents: 'read' });
      expect(Object.values(workflow.jobs).filter(({ permissions }) => permissions !== undefined)).toEqual([]);
      // Runs with the rights of the repository on the code of strangers.
      expect(text, path).not.toContain('pull_request_target');
      expect(text, path).not.toContain('secrets.');
    }
  });
});
