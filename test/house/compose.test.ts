import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { variables } from '../../src/app/config.ts';
import { readText } from './source-files.ts';

interface Service {
  readonly user?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const { services, secrets } = parse(readText('docker-compose.yml'), { merge: true }) as Compose;
const { redis, worker, scheduler, explorer, simulator } = services as Record<
  'redis' | 'worker' | 'scheduler' | 'explorer' | 'simulator',
  Service
>;
const dockerfile = readText('Dockerfile');
const everyService = Object.entries(services);

describe('docker-compose.yml', () => {
  it('Redis keeps its data and never evicts a job', () => {
    expect(redis.command?.join(' ')).toMatch(/--appendonly yes.*--maxmemory-policy noeviction/);
  });

  it('each service is asked for readiness at its own port, and metrics need a token', () => {
    for (const [service, variable, usual] of [
      [worker, 'METRICS_PORT', ''],
      [scheduler, 'METRICS_PORT', ''],
      [explorer, 'PORT', variables.find(({ name }) => name === 'PORT')!.default],
    ] as const) {
      const port = service.environment?.[variable] ?? usual;
      expect(service.healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${port}/readyz`);
      expect(service.environment).toMatchObject({
        HOST: '0.0.0.0',
        DASHBOARD_TOKENS_FILE: '/run/secrets/dashboard-tokens',
      });
    }
  });

  it('the explorer is reachable from this machine only, behind a password', () => {
    expect(explorer.environment).toHaveProperty('DASHBOARD_PASSWORD_FILE');
    expect(explorer.ports).toEqual(['127.0.0.1:4280:4280']);
    const ports = everyService.flatMap(([, service]) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('no container runs as root, has capabilities, or can write outside volumes and tmpfs', () => {
    for (const [name, service] of everyService) {
      expect(service, name).toMatchObject({
        user: expect.not.stringMatching(/^(root|0)(:|$)/),
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(service.privileged, name).toBeUndefined();
    }
    expect(dockerfile.match(/^USER .*$/gm)).toEqual(['USER node']);
  });

  it('secrets are passed as files, never as values', () => {
    const names = variables.filter(({ secret }) => secret).map(({ name }) => name);
    for (const [service, { environment = {}, secrets: granted = [] }] of everyService) {
      expect(
        granted.filter((name) => !(name in secrets)),
        service,
      ).toEqual([]);
      for (const [name, value] of Object.entries(environment)) {
        if (names.includes(name) && name !== 'REDIS_URL') expect.fail(`${service} holds ${name} as a value`);
        if (name.endsWith('_FILE')) expect(granted, service).toContain(value.replace('/run/secrets/', ''));
        expect(value, `${service} ${name}`).not.toMatch(/:\/\/[^/\s]*:[^/\s]*@/);
      }
    }
    expect(readText('.gitignore').split('\n')).toContain('secrets/');
    expect(Object.values(secrets).every(({ file }) => file.startsWith('./secrets/'))).toBe(true);
  });

  it('only variables that the program knows are set', () => {
    const known = variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
    for (const service of [worker, scheduler, explorer, simulator]) {
      expect(
        Object.keys(service.environment ?? {}).filter((name) => !known.includes(name) && !name.startsWith('AWS_')),
      ).toEqual([]);
    }
  });

  it('every variable that is not secret and not fixed is passed on', () => {
    for (const { name } of variables.filter(({ secret }) => !secret)) {
      const value = worker.environment?.[name];
      if (name === 'HOST' || name === 'METRICS_PORT') expect(value).not.toContain('$');
      // The image's own, and the port that Compose publishes.
      else if (name === 'PRICEBOOK_HOME' || name === 'PORT') expect(value).toBeUndefined();
      else expect(value, name).toBe(`\${${name}:-}`);
    }
  });
});

describe('Dockerfile', () => {
  it('the image contains what the program needs, and nothing else enters the build', () => {
    const context = readText('.dockerignore').split('\n');
    expect(context[0]).toBe('*');
    const allowed = context.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap((match) => match[1]!.split(' '));
    expect([...new Set(copied)].sort()).toEqual(allowed.sort());
    expect(allowed).toEqual(expect.arrayContaining(['src', 'jobs', 'docs', 'package-lock.json']));
  });

  it('the build runs no script of a package', () => {
    const installing = [...dockerfile.matchAll(/\bnpm (?:ci|install|prune)\b[^&\n]*/g)].map(([command]) => command);
    expect(installing.length).toBeGreaterThan(0);
    expect(installing.filter((command) => !command.includes('--ignore-scripts'))).toEqual([]);
  });
});
