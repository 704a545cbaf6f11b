import { describe, expect, it } from 'vitest';
import { variables } from '../../src/app/config.ts';
import { graceMs } from '../../src/cli/closing.ts';
import { verbs } from '../../src/cli/program.ts';
import { filesBelow, readText } from '../house/source-files.ts';

interface Unit {
  readonly name: string;
  /** Values by directive, in their order; a directive may come several times. */
  readonly directives: ReadonlyMap<string, readonly string[]>;
}

const units = filesBelow('deploy/systemd', '.service').map(({ path, text }): Unit => {
  const directives = new Map<string, string[]>();
  for (const [, name, value] of text.matchAll(/^(\w+)=(.*)$/gm))
    directives.set(name!, [...(directives.get(name!) ?? []), value!]);
  return { name: path.replace(/^.*\//, ''), directives };
});
const program = '/usr/local/bin/pricebook';

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
