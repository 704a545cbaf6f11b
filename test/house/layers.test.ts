import { describe, expect, it } from 'vitest';
import { rooms } from './layer-map.ts';
import { importsOf, programFiles } from './source-files.ts';

describe('rooms', () => {
  const files = programFiles();

  it('the rooms hold every file', () => {
    const unplaced = files.filter(({ path }) => roomOf(path) === -1 && !isSimulator(path)).map(({ path }) => path);
    expect(unplaced).toEqual([]);
  });

  it('the rooms import only from rooms below them', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !isSimulator(file.path) && !isSimulator(target) && !mayImport(file.path, target))
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('the simulator imports nothing of ours, and only the composition starts it', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => isSimulator(file.path) !== isSimulator(target))
        .filter(() => isSimulator(file.path) || roomOf(file.path) > roomOf('src/app/'))
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });
});

function mayImport(from: string, to: string): boolean {
  return roomOf(to) !== -1 && roomOf(from) <= roomOf(to);
}

/** Position from the top; -1: no room has it. */
function roomOf(path: string): number {
  return rooms.findIndex((room) => path.startsWith(`${room}/`));
}

function isSimulator(path: string): boolean {
  return path.startsWith('src/simulator/');
}
