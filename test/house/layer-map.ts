/** Folders by layer, the highest first. A folder imports from layers below, never from above. */
export const layers: readonly (readonly string[])[] = [
  ['src/cli', 'src/compose.ts', 'src/compose', 'src/config.ts', 'src/config'],
  ['jobs'],
  ['src/crawl'],
  ['src/replay', 'src/explorer', 'src/followers'],
  [
    'src/ingest.ts',
    'src/quality',
    'src/status',
    'src/export',
    'src/moving',
    'src/alerts',
    'src/monitoring',
    'src/questions',
  ],
  ['src/stage', 'src/publish', 'src/limits', 'src/derive', 'src/drift'],
  ['src/ledger'],
  ['src/gateway', 'src/archive', 'src/queue', 'src/db', 'src/metrics', 'src/access', 'src/log.ts'],
  ['src/endpoints'],
  ['src/normalise', 'src/plan', 'src/listings'],
  ['src/model', 'src/errors.ts', 'src/clock.ts', 'src/make-folder.ts', 'src/network-error.ts', 'src/outage.ts'],
];

/** Layers whose folders may import from each other: the top puts everything together, the bottom is shared types. */
export const openLayers = new Set([0, layers.length - 1]);
