import { describe, expect, it } from 'vitest';
import { importsOf, programFiles } from './source-files.ts';

/** Rooms of the house from the top floor down. A room imports from floors below, never from above. */
const floors: readonly (readonly string[])[] = [
  ['src/cli', 'src/compose.ts', 'src/config.ts', 'src/config'],
  ['jobs'],
  ['src/crawl'],
  ['src/replay', 'src/export', 'src/dashboard'],
  ['src/ingest.ts', 'src/quality', 'src/status'],
  ['src/stage', 'src/publish', 'src/limits'],
  ['src/ledger'],
  ['src/gateway', 'src/archive', 'src/queue', 'src/db', 'src/metrics', 'src/log.ts'],
  ['src/endpoints'],
  ['src/normalise', 'src/plan', 'src/listings'],
  ['src/model', 'src/errors.ts', 'src/clock.ts', 'src/group-commit.ts'],
];

/** Floors on which one room may look into the next: the top puts everything together, the bottom is one vocabulary. */
const openFloors = new Set([0, floors.length - 1]);

interface Place {
  readonly room: string;
  readonly floor: number;
}

describe('layers', () => {
  const files = programFiles();

  it('gives every file a room', () => {
    const homeless = files.filter(({ path }) => placeOf(path) === null && !isSimulator(path)).map(({ path }) => path);
    expect(homeless).toEqual([]);
  });

  it('lets imports go down, never up, never sideways', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !isSimulator(file.path) && !isSimulator(target) && !mayImport(file.path, target))
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps the simulator apart: it imports nothing of ours, and only the top floor starts it', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => isSimulator(file.path) !== isSimulator(target))
        .filter(() => isSimulator(file.path) || placeOf(file.path)?.floor !== 0)
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
  if (here.room === there.room || here.floor < there.floor) return true;
  return here.floor === there.floor && openFloors.has(here.floor);
}

function placeOf(path: string): Place | null {
  for (const [floor, rooms] of floors.entries()) {
    const room = rooms.find((name) => path === name || path.startsWith(`${name}/`));
    if (room) return { room, floor };
  }
  return null;
}

function isSimulator(path: string): boolean {
  return path.startsWith('src/simulator/');
}
