import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filesBelow, readText } from './source-files.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions?: unknown;
        readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
        readonly steps: readonly Step[];
      }
    >
  >;
}

interface Form {
  readonly name: string;
  readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: object }[];
}

describe('.github', () => {
  const workflows = filesBelow('.github/workflows', '.yml').map(({ path, text }) => ({
    path,
    text,
    workflow: parse(text) as Workflow,
  }));
  const steps = workflows.flatMap(({ workflow }) => Object.values(workflow.jobs).flatMap((job) => job.steps));

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

  it('workflows run the suite, lint and type check on the oldest Node that is supported and a newer one', () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands).toEqual(expect.arrayContaining(['.ci/run', 'npm run lint', 'npm run typecheck']));
    const { scripts, engines } = JSON.parse(readText('package.json')) as {
      scripts: Record<string, string>;
      engines: { node: string };
    };
    const named = commands.flatMap((command) => [...command.matchAll(/npm run (\S+)/g)].map((match) => match[1]!));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const nodes = workflows.flatMap(({ workflow }) =>
      Object.values(workflow.jobs).flatMap((job) => job.strategy?.matrix.node ?? []),
    );
    expect(Math.min(...nodes)).toBe(Number(/\d+/.exec(engines.node)?.[0]));
    expect(nodes.length).toBeGreaterThan(1);
  });

  it('every field of an issue form has a name of its own', () => {
    const forms = filesBelow('.github/ISSUE_TEMPLATE', '.yml').filter(({ path }) => !path.endsWith('/config.yml'));
    expect(forms.map(({ path }) => path.replace(/^.*\//, ''))).toEqual(['bug.yml', 'feature.yml', 'wrong-data.yml']);
    for (const { path, text } of forms) {
      const { name, body } = parse(text) as Form;
      expect(name, path).toBeTruthy();
      const asked = body.filter(({ type }) => type !== 'markdown');
      expect(asked.length, path).toBeGreaterThan(1);
      expect(new Set(asked.map(({ id }) => id)).size, path).toBe(asked.length);
      for (const { id, attributes } of asked) {
        expect(id, path).toMatch(/^[a-z]+$/);
        expect(attributes, path).toHaveProperty('label');
      }
    }
  });
});
