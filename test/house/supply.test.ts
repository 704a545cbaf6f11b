import { describe, expect, it } from 'vitest';
import { readText } from './source-files.ts';

interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
  readonly engines?: { readonly node?: string };
}

interface Manifest {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const ranges = ['dependencies', 'optionalDependencies', 'devDependencies', 'overrides'] as const;
const manifest = JSON.parse(readText('package.json')) as Manifest;
const lock = JSON.parse(readText('package-lock.json')) as {
  packages: Readonly<Record<string, Locked>>;
};
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const isSha512 = (integrity: string) => /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);

describe('the supply chain', () => {
  it('every package has a hash, and none comes from an address of its own', () => {
    expect(packages.length).toBeGreaterThan(100);
    const loose = packages.filter(
      ([, { resolved, integrity = '', link }]) => link || resolved !== undefined || !isSha512(integrity),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  it('every package supports the oldest Node that is promised', () => {
    const oldest = /^>=(\d+)\.(\d+)$/.exec(manifest.engines.node)!.slice(1).map(Number) as [number, number];
    const takes = (range: string) => {
      const [major = 0, minor = 0] = (/\d+(?:\.\d+)?/.exec(range)?.[0] ?? '').split('.').map(Number);
      return major === oldest[0] ? minor <= oldest[1] : major < oldest[0] && !/^[\^~]/.test(range);
    };
    const newer = packages.filter(
      ([, { engines }]) => !(engines?.node ?? '*').split('||').some((one) => takes(one.trim())),
    );
    expect(newer.map(([path, { engines }]) => `${path} ${engines?.node}`)).toEqual([]);
  });

  it('dependencies are versions, never an address, a folder or an alias', () => {
    const asked = ranges.flatMap((kind) => Object.entries(manifest[kind]).flatMap(rangesOf));
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter(([, range]) => !/^[\^~]?\d+(\.\d+){0,2}(-[\w.]+)?$/.test(range))).toEqual([]);
  });

  it('runtime dependencies are pinned exactly', () => {
    const floating = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(floating).toEqual([]);
  });

  it('only named packages run scripts at installation, and none of ours', () => {
    const scripted = new Set(
      packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path)),
    );
    const allowed = Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name]);
    // fsevents is for watching files on macOS: built there by vitest's own dependency, and not needed.
    expect([...scripted].filter((name) => !allowed.includes(name) && name !== 'fsevents')).toEqual([]);
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
    expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
  });
});

/** Dependencies of an entry, with the kind of each. */
function rangesOf([name, range]: [string, string | Readonly<Record<string, string>>]): [string, string][] {
  return typeof range === 'string'
    ? [[name, range]]
    : Object.entries(range).map(([inner, innerRange]) => [`${name} > ${inner}`, innerRange]);
}
