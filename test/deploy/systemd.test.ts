import { describe, expect, it } from 'vitest';
import { variables } from '../../src/app/config.ts';
import { graceMs } from '../../src/cli/closing.ts';
import { verbs } from '../../src/cli/program.ts';
import { readText } from '../house/source-files.ts';

/** Values by directive, in their order; a directive may come several times. */
const directives = new Map<string, string[]>();
for (const [, name, value] of readText('deploy/systemd/pricebook@.service').matchAll(/^(\w+)=(.*)$/gm))
  directives.set(name!, [...(directives.get(name!) ?? []), value!]);

describe('the template of systemd', () => {
  it('the page starts a scheduler, workers and the explorer, each on a port that Prometheus scrapes', () => {
    const page = readText('docs/start/systemd.md');
    // `start` is for one region on one machine.
    const files = [
      ...page.matchAll(/'COMMAND=(?!start)(\w+)(?:\\nMETRICS_PORT=(\d+))?\\n' \| sudo tee \/etc\/pricebook\/(\S+)/g),
    ];
    const commands = files.map(([, command]) => command);
    expect(commands).toEqual(['schedule', 'work', 'work', 'serve']);
    expect(verbs.map(({ name }) => name)).toEqual(expect.arrayContaining(commands));
    for (const [, , , instance] of files) expect(page).toContain(`pricebook@${instance}`);
    const usual = variables.find(({ name }) => name === 'PORT')!.default;
    const scraped = readText('deploy/prometheus/prometheus.yml').matchAll(/127\.0\.0\.1:(\d+)/g);
    expect([...scraped].map(([, port]) => port).sort()).toEqual(files.map(([, , port]) => port ?? usual).sort());
    expect(directives.get('ExecStart')).toEqual(['/usr/local/bin/pricebook $COMMAND']);
    expect(directives.get('EnvironmentFile')).toEqual(['/etc/pricebook/environment', '/etc/pricebook/%i']);
  });

  it('the template sets only known variables, with secrets as credentials', () => {
    const secrets = variables.filter(({ secret }) => secret).map(({ name }) => name);
    const known = variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
    const set = directives.get('Environment')!.map((assignment) => assignment.split('=') as [string, string]);
    expect(set.map(([name]) => name).filter((name) => name !== 'NODE_ENV' && !known.includes(name))).toEqual([]);
    expect(set.filter(([name]) => secrets.includes(name))).toEqual([]);
    const loaded = directives.get('LoadCredential')!.map((credential) => credential.split(':')[0]!);
    const named = set.filter(([name]) => name.endsWith('_FILE')).map(([, file]) => file.replace('%d/', ''));
    expect(named.sort()).toEqual(loaded.sort());
    expect(named).toEqual(expect.arrayContaining(['database-url', 'gateway-key', 'dashboard-password']));
  });

  it('a process has more time to stop than the grace period, and restarts except after a mistake', () => {
    expect(Number(directives.get('TimeoutStopSec')![0]) * 1_000).toBeGreaterThan(graceMs);
    expect(directives.get('SuccessExitStatus')).toEqual(['143']);
    expect(directives.get('Restart')).toEqual(['on-failure']);
    expect(directives.get('RestartPreventExitStatus')).toEqual(['2 78']);
  });

  it('a process runs as an unprivileged user and writes to one folder', () => {
    expect(directives.get('User')).toEqual(['pricebook']);
    expect(directives.get('CapabilityBoundingSet')).toEqual(['']);
    expect(directives.get('NoNewPrivileges')).toEqual(['yes']);
    expect(directives.get('ProtectSystem')).toEqual(['strict']);
    expect(directives.get('StateDirectory')).toEqual(['pricebook']);
    expect(directives.get('Environment')).toContain('PRICEBOOK_HOME=%S/pricebook');
    expect(directives.has('ReadWritePaths')).toBe(false);
  });
});
