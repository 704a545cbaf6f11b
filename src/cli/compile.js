// @ts-check
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Compiles the program from `entry` into a folder, as one file with its libraries: `program.cjs`, which keeps absolute
 * paths. With `isMovable` it becomes `program.mjs` and a file per part that is loaded on demand, beside `more` entries
 * by name: libraries stay external and own files are resolved relative to the folder, as in an installed package; the
 * folder must then be directly below the root.
 * @param {{ root: string, entry: string, more?: Record<string, string>, folder: string, isMovable?: boolean }} what
 */
export async function compile({ root, entry, more = {}, folder, isMovable = false }) {
  const { build } = createRequire(join(root, 'package.json'))('esbuild');
  await build({
    entryPoints: { program: join(root, entry), ...more },
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    // pg-native is not installed; the others are loaded from node_modules on demand. Bundled, the CommonJS library
    // `cookie` would lack the named exports that its dynamic import expects.
    external: ['pg-native', '@duckdb/node-api', '@aws-sdk/*', '@smithy/*', 'cookie'],
    ...(isMovable ? parts : oneFile),
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [keepingPlaces(root, isMovable)],
  });
}

const parts = /** @type {const} */ ({
  format: 'esm',
  splitting: true,
  outExtension: { '.js': '.mjs' },
  packages: 'external',
});
/** A script: unlike a module it can be loaded as V8 compiled it before (run-compiled.js). */
const oneFile = /** @type {const} */ ({
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  // Node cannot import from a script that was loaded as V8 compiled it.
  supported: { 'dynamic-import': false },
  banner: { js: "'use strict';" },
});

/** Replaces `import.meta.url`, so that modules still find SQL files and native libraries beside their source. */
const keepingPlaces = (/** @type {string} */ root, /** @type {boolean} */ isMovable) => ({
  name: 'keeping-places',
  /** @param {any} build */
  setup(build) {
    build.onLoad({ filter: /\.(tsx?|[cm]?js)$/ }, (/** @type {{ path: string }} */ { path }) => {
      const place = isMovable
        ? `new URL(${JSON.stringify(`../${relative(root, path).replaceAll(sep, '/')}`)}, import.meta.url).href`
        : JSON.stringify(pathToFileURL(path).href);
      const text = readFileSync(path, 'utf8');
      const placed = text.replaceAll('import.meta.url', () => place);
      const [, typed] = /\.(tsx?)$/.exec(path) ?? [];
      if (typed) return { loader: typed, contents: placed };
      const isOwnName = /\b(?:const|let|var|import)\s+__(?:dirname|filename)\b/.test(text);
      const names = isOwnName ? [] : ['dirname', 'filename'].filter((name) => text.includes(`__${name}`));
      const places = { dirname: join(path, '..'), filename: path };
      const told = names.map((name) => `var __${name} = ${JSON.stringify(places[/** @type {'dirname'} */ (name)])};`);
      return { loader: 'js', contents: told.length === 0 ? placed : withPlaces(placed, told.join(' ')) };
    });
  },
});

/** Inserts text after a directive such as 'use strict', which must stay first. */
function withPlaces(/** @type {string} */ text, /** @type {string} */ told) {
  const directive = /^(#!.*\n)?\s*(['"])use strict\2;?/.exec(text)?.[0] ?? '';
  return `${directive};${told}${text.slice(directive.length)}`;
}
