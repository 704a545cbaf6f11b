import { describe, expect, it } from 'vitest';
import { layers, openLayers } from './layer-map.ts';
import { importsOf, programFiles } from './source-files.ts';

interface Place {
  readonly folder: string;
  readonly layer: number;
}

describe('layers', () => {
  const files = programFiles();

  it('gives every file a layer', () => {
    const unplaced = files.filter(({ path }) => placeOf(path) === null && !isSimulator(path)).map(({ path }) => path);
    expect(unplaced).toEqual([]);
  });

  it('lets imports go down, never up, never sideways', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !isSimulator(file.path) && !isSimulator(target) && !mayImport(file.path, target))
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps the simulator apart: it imports nothing of ours, and only the top layer starts it', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => isSimulator(file.path) !== isSimulator(target))
        .filter(() => isSimulator(file.path) || placeOf(file.path)?.layer !== 0)
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('knows a wrong import when it sees one', () => {
    expect(mayImport('src/model/price.ts', 'src/normalise/money.ts')).toBe(false);
    expect(mayImport('src/gateway/client.ts', 'src/db/client.ts')).toBe(false);
    expect(mayImport('src/endpoints/health.ts', 'src/model/index.ts')).toBe(true);
    expect(mayImport('src/db/migrate.ts', 'src/db/client.ts')).toBe(true);
  });
});

function mayImport(from: string, to: string): boolean {
  const here = placeOf(from);
  const there = placeOf(to);
  if (!here || !there) return false;
  if (here.folder === there.folder || here.layer < there.layer) return true;
  return here.layer === there.layer && openLayers.has(here.layer);
}

function placeOf(path: string): Place | null {
  for (const [layer, folders] of layers.entries()) {
    const folder = folders.find((name) => path === name || path.startsWith(`${name}/`));
    if (folder) return { folder, layer };
  }
  return null;
}

function isSimulator(path: string): boolean {
  return path.startsWith('src/simulator/');
}
