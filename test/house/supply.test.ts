import { describe, expect, it } from 'vitest';
import { readText } from './source-files.ts';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly scripts: Readonly<Record<string, string>>;
}

/** Where npm looks unless told otherwise; the lock need not repeat it. */
const registry = 'https://registry.npmjs.org/';
const manifest = JSON.parse(readText('package.json')) as Manifest;
const lock = JSON.parse(readText('package-lock.json')) as { packages: Readonly<Record<string, Locked>> };
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('the supply chain', () => {
  it('is locked: each package by its hash, from the public registry', () => {
    expect(packages.length).toBeGreaterThan(100);
    const loose = packages.filter(
      ([, { resolved = registry, integrity = '', link }]) =>
        link || !resolved.startsWith(registry) || !integrity.startsWith('sha512-'),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  it('pins exactly what the program runs on', () => {
    const floating = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(floating).toEqual([]);
  });

  it('runs scripts at installation of named packages only, and none of our own', () => {
    const scripted = new Set(
      packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path)),
    );
    const allowed = Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name]);
    // fsevents is for watching files on macOS: built there by vitest's own dependency, and not needed.
    expect([...scripted].filter((name) => !allowed.includes(name) && name !== 'fsevents')).toEqual([]);
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
    expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
  });

  it('has an undici that knows no unbounded chain of encodings (7.18.2 and later)', () => {
    const versions = packages.filter(([path]) => nameOf(path) === 'undici').map(([, { version }]) => version!);
    expect(versions.length).toBeGreaterThan(0);
    for (const version of versions)
      expect(version.localeCompare('7.18.2', 'en', { numeric: true })).toBeGreaterThanOrEqual(0);
  });
});
