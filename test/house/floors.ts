/** Rooms of the house from the top floor down. A room imports from floors below, never from above. */
export const floors: readonly (readonly string[])[] = [
  ['src/cli', 'src/compose.ts', 'src/compose', 'src/config.ts', 'src/config'],
  ['jobs'],
  ['src/crawl'],
  ['src/replay', 'src/explorer'],
  ['src/ingest.ts', 'src/quality', 'src/status', 'src/export', 'src/moving'],
  ['src/stage', 'src/publish', 'src/limits', 'src/derive', 'src/drift'],
  ['src/ledger'],
  ['src/gateway', 'src/archive', 'src/queue', 'src/db', 'src/metrics', 'src/log.ts'],
  ['src/endpoints'],
  ['src/normalise', 'src/plan', 'src/listings'],
  ['src/model', 'src/errors.ts', 'src/clock.ts', 'src/group-commit.ts'],
];

/** Floors on which one room may look into the next: the top puts everything together, the bottom is one vocabulary. */
export const openFloors = new Set([0, floors.length - 1]);
