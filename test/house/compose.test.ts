import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { variables } from '../../src/app/config.ts';
import { readText } from './source-files.ts';

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const { services, volumes, secrets } = parse(readText('docker-compose.yml'), { merge: true }) as Compose;
const { postgres, redis, worker, scheduler, explorer, simulator } = services as Record<
  'postgres' | 'redis' | 'worker' | 'scheduler' | 'explorer' | 'simulator',
  Service
>;
const dockerfile = readText('Dockerfile');
const everyService = Object.entries(services);

describe('docker-compose.yml', () => {
  it('the file has every role of the program, and a simulator for rehearsals only', () => {
    expect(Object.keys(services).sort()).toEqual(['explorer', 'postgres', 'redis', 'scheduler', 'simulator', 'worker']);
    expect(everyService.filter(([, { profiles }]) => profiles).map(([name]) => name)).toEqual(['simulator']);
    expect(simulator.profiles).toEqual(['simulator']);
  });

  it('PostgreSQL 18 runs on a volume mounted where its image keeps data', () => {
    expect(postgres.image).toBe('postgres:18');
    expect(postgres.volumes).toEqual(['postgres-data:/var/lib/postgresql']);
  });

  it('Redis keeps its jobs', () => {
    const command = redis.command?.join(' ');
    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(redis.volumes).toEqual(['redis-data:/data']);
  });

  it('workers and scheduler share one database, one queue and one archive, and each runs its own command', () => {
    expect(worker.command).toEqual(['work']);
    expect(scheduler.command).toEqual(['schedule']);
    expect({ ...worker, command: [] }).toEqual({ ...scheduler, command: [] });
    expect(worker.volumes).toEqual(['pricebook-data:/data']);
    expect(worker.environment?.['REDIS_URL']).toBe('redis://redis:6379');
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
    expect(explorer.command).toEqual(['serve']);
    expect(explorer.environment).toMatchObject({ ...worker.environment, HOST: '0.0.0.0' });
    expect(explorer.environment).toHaveProperty('DASHBOARD_PASSWORD_FILE');
    expect(explorer.ports).toEqual(['127.0.0.1:4280:4280']);
  });

  it('the services start when PostgreSQL and Redis are healthy', () => {
    expect(worker.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    });
    expect(everyService.filter(([, { healthcheck }]) => !healthcheck?.test.length)).toEqual([]);
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

  it('no port is open to other machines', () => {
    const ports = everyService.flatMap(([, service]) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
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
      expect(Object.keys(service.environment ?? {}).filter((name) => !known.includes(name))).toEqual([]);
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

  it('the other containers reach the simulator at the address that the page on Docker names', () => {
    const command = simulator.command?.join(' ') ?? '';
    expect(command).toMatch(/^simulate .*--host 0\.0\.0\.0/);
    const port = command.match(/--port (\d+)/)?.[1];
    expect(simulator.healthcheck?.test.join(' ')).toContain(`:${port}/`);
    expect(readText('docs/start/docker.md')).toContain(`http://simulator:${port}`);
  });

  it('every mounted volume is declared', () => {
    const used = everyService.flatMap(([, service]) => service.volumes ?? []).map((mount) => mount.split(':')[0]);
    expect([...new Set(used)].sort()).toEqual(Object.keys(volumes).sort());
  });
});

describe('Dockerfile', () => {
  it('the image contains what the program needs, and nothing else enters the build', () => {
    const context = readText('.dockerignore').split('\n');
    expect(context[0]).toBe('*');
    const allowed = context.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap((match) => match[1]!.split(' '));
    expect([...new Set(copied)].sort()).toEqual(allowed.sort());
    expect(allowed).toEqual(expect.arrayContaining(['src', 'jobs', 'package-lock.json']));
  });

  it('the container starts the program of the package', () => {
    const { bin } = JSON.parse(readText('package.json')) as { bin: Record<string, string> };
    const entry = JSON.parse(dockerfile.match(/^ENTRYPOINT (.*)$/m)?.[1] ?? '[]') as string[];
    expect(entry).toEqual(['node', `/app/${bin['pricebook']}`]);
  });

  it('the build runs no script of a package', () => {
    const installing = [...dockerfile.matchAll(/\bnpm (?:ci|install|prune)\b[^&\n]*/g)].map(([command]) => command);
    expect(installing.length).toBeGreaterThan(0);
    expect(installing.filter((command) => !command.includes('--ignore-scripts'))).toEqual([]);
  });
});
