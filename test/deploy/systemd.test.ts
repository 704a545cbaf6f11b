import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variables } from '../../src/app/config.ts';
import { graceMs } from '../../src/cli/closing.ts';
import { verbs } from '../../src/cli/verbs/index.ts';
import { filesBelow, readText } from '../house/source-files.ts';

interface Unit {
  readonly name: string;
  readonly text: string;
  /** Values by directive, in their order; a directive may come several times. */
  readonly directives: ReadonlyMap<string, readonly string[]>;
}

const units = filesBelow('deploy/systemd', '.service').map(({ path, text }): Unit => {
  const directives = new Map<string, string[]>();
  for (const [, name, value] of text.matchAll(/^(\w+)=(.*)$/gm))
    directives.set(name!, [...(directives.get(name!) ?? []), value!]);
  return { name: path.replace(/^.*\//, ''), text, directives };
});
const program = '/usr/local/bin/pricebook';
const isAnalyzerThere = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the units of systemd', () => {
  it('there are units for a scheduler, the explorer and any number of workers', () => {
    expect(units.map(({ name, directives }) => [name, directives.get('ExecStart')])).toEqual([
      ['pricebook-explorer.service', [`${program} serve`]],
      ['pricebook-scheduler.service', [`${program} schedule`]],
      ['pricebook-worker@.service', [`${program} work`]],
    ]);
    const known = verbs.map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining(['serve', 'schedule', 'work']));
  });

  it.each(units)('$name sets only known variables, with secrets as credentials', ({ directives }) => {
    const secrets = variables.filter(({ secret }) => secret).map(({ name }) => name);
    const known = variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
    const set = directives.get('Environment')!.map((assignment) => assignment.split('=') as [string, string]);
    expect(set.map(([name]) => name).filter((name) => name !== 'NODE_ENV' && !known.includes(name))).toEqual([]);
    expect(set.filter(([name]) => secrets.includes(name))).toEqual([]);
    const loaded = directives.get('LoadCredential')!.map((credential) => credential.split(':')[0]!);
    const named = set.filter(([name]) => name.endsWith('_FILE')).map(([, file]) => file.replace('%d/', ''));
    expect(named.sort()).toEqual(loaded.sort());
    expect(named).toEqual(expect.arrayContaining(['database-url', 'gateway-key']));
  });

  it('units serve metrics on separate ports, which Prometheus scrapes', () => {
    const ports = units.map(({ directives }) =>
      directives
        .get('Environment')!
        .find((set) => set.startsWith('METRICS_PORT='))
        ?.replace('METRICS_PORT=', ''),
    );
    expect(ports).toEqual([undefined, '4290', '429%i']);
    const targets = [...readText('deploy/prometheus/prometheus.yml').matchAll(/127\.0\.0\.1:(\d+)/g)].map(
      ([, port]) => port,
    );
    const usual = variables.find(({ name }) => name === 'PORT')!.default;
    expect(targets).toEqual([usual, '4290', '4291', '4292']);
  });

  it.each(units)('$name allows more time to stop than the grace period', ({ directives }) => {
    const [seconds] = directives.get('TimeoutStopSec')!;
    expect(Number(seconds) * 1_000).toBeGreaterThan(graceMs);
    expect(directives.get('SuccessExitStatus')).toEqual(['143']);
  });

  it.each(units)('$name restarts after a failure but not after a configuration error', ({ directives }) => {
    expect(directives.get('Restart')).toEqual(['on-failure']);
    expect(directives.get('RestartPreventExitStatus')).toEqual(['2 78']);
  });

  it.each(units)('$name runs as an unprivileged user and writes to one folder', ({ directives }) => {
    expect(directives.get('User')).toEqual(['pricebook']);
    expect(directives.get('CapabilityBoundingSet')).toEqual(['']);
    expect(directives.get('NoNewPrivileges')).toEqual(['yes']);
    expect(directives.get('ProtectSystem')).toEqual(['strict']);
    expect(directives.get('StateDirectory')).toEqual(['pricebook']);
    expect(directives.get('Environment')).toContain('PRICEBOOK_HOME=%S/pricebook');
    expect(directives.has('ReadWritePaths')).toBe(false);
  });

  it('all units are documented', () => {
    const page = readText('docs/start/systemd.md');
    expect(units.map(({ name }) => name.replace('.service', '')).filter((name) => !page.includes(name))).toEqual([]);
  });
});

describe.runIf(isAnalyzerThere)('systemd-analyze', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pricebook-units-'));
  const executable = join(folder, 'pricebook');
  const place = (name: string, text: string) => {
    writeFileSync(join(folder, name), text.replaceAll(program, executable));
    return join(folder, name);
  };
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  const verify = (...files: string[]) => analyze('verify', '--man=no', '--recursive-errors=no', ...files);

  beforeAll(() => {
    writeFileSync(executable, '#!/bin/sh\n');
    chmodSync(executable, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('systemd-analyze accepts all units', () => {
    const { stderr, status } = verify(...units.map(({ name, text }) => place(name, text)));
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });

  it('systemd-analyze detects an unknown key and a missing program', () => {
    const [{ text }] = units as [Unit];
    expect(verify(place('wrong.service', text.replace('ProtectClock', 'ProtectClocks'))).stderr).toContain(
      'ProtectClocks',
    );
    writeFileSync(join(folder, 'away.service'), text.replaceAll(program, join(folder, 'away')));
    expect(verify(join(folder, 'away.service')).status).not.toBe(0);
  });

  it.runIf(isOfflineReviewThere())('systemd-analyze rates all units as well protected', () => {
    for (const { name, text } of units) {
      const { status, stdout } = analyze(
        'security',
        '--offline=yes',
        '--threshold=20',
        '--no-pager',
        place(name, text),
      );
      expect(status, stdout.split('\n').at(-2)).toBe(0);
    }
  });
});

describe.runIf(!isAnalyzerThere)('systemd-analyze (not installed: units are read, not verified)', () => {
  it('systemd-analyze is needed to verify the units', () => expect(isAnalyzerThere).toBe(false));
});

/** Since systemd 250. */
function isOfflineReviewThere(): boolean {
  if (!isAnalyzerThere) return false;
  const version = execFileSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
  return Number(/systemd (\d+)/.exec(version)?.[1] ?? 0) >= 250;
}
