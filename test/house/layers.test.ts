import { describe, expect, it } from 'vitest';
import { floors, openFloors } from './floors.ts';
import { importsOf, programFiles } from './source-files.ts';

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
