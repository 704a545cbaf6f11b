import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readText, root } from '../house/source-files.ts';

const text = readText('docker-compose.yml');

/** Compose as a plugin of docker, or as a separate program. */
const compose = [['docker', 'compose'], ['docker-compose']].find(
  ([program, ...args]) => spawnSync(program!, [...args, 'version']).status === 0,
);

/**
 * Version 1, which Debian 12 has, does not know that a project can have a name; all else it reads as version 2 does.
 */
const file = compose?.length === 1 ? text.replace(/^name: .*$/m, '') : text;

describe.runIf(compose)('docker compose', () => {
  const config = (input: string, ...args: string[]) => {
    const [program, ...first] = compose!;
    return spawnSync(program!, [...first, '--file', '-', '--project-directory', root, ...args], {
      encoding: 'utf8',
      input,
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
    });
  };

  it('docker compose accepts docker-compose.yml with every service', () => {
    const { status, stdout, stderr } = config(file, '--profile', 'simulator', 'config');
    expect(status, stderr).toBe(0);
    const understood = parse(stdout) as { services: Record<string, object> };
    const written = parse(text, { merge: true }) as { services: Record<string, object> };
    expect(Object.keys(understood.services).sort()).toEqual(Object.keys(written.services).sort());
  });

  it('docker compose rejects an unknown key', () => {
    expect(config(file.replace('    restart:', '    restarts:'), 'config').status).not.toBe(0);
  });
});
