// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ownRoot = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The program and its libraries as one JavaScript file. Loading a thousand files one by one takes over a second of a processor,
 * and ten seconds on a busy machine, before the first request goes out. Made by the first start after a change and kept with the
 * libraries. Null where it cannot be made or kept: the program then runs from its sources.
 * @param {{ root?: string, folder?: string, entry?: string }} [places] the checkout, where the file is kept, and what is run
 * @returns {Promise<string | null>} its path
 */
export async function compiledProgram({
  root = ownRoot,
  folder = join(root, 'node_modules', '.cache', 'pricebook'),
  entry = 'src/cli/main.ts',
} = {}) {
  try {
    // Several checkouts may share their libraries.
    const prefix = `${hashOf(join(root, entry))}-`;
    const file = `${prefix}${fingerprintOf(root, dirname(entry))}.mjs`;
    if (!existsSync(join(folder, file))) {
      mkdirSync(folder, { recursive: true });
      await compile(root, join(root, entry), join(folder, file));
      const outdated = readdirSync(folder).filter((name) => name.startsWith(prefix) && name !== file);
      for (const name of outdated) rmSync(join(folder, name), { force: true });
    }
    return join(folder, file);
  } catch {
    return null;
  }
}

/** Of names, sizes and times of all files that go into it: whatever way a file came here, a different one has a different mark. */
function fingerprintOf(/** @type {string} */ root, /** @type {string} */ around) {
  const installed = join('node_modules', '.package-lock.json');
  const sources = [...new Set(['src', 'jobs', around])].flatMap((name) => {
    const entries = readdirSync(join(root, name), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  });
  const marks = [join(root, installed), ...sources.sort()].map((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return `${path} ${found?.size} ${found?.mtimeMs}`;
  });
  return hashOf(marks.join('\n'));
}

/** Written beside and renamed: a start in the middle of it finds all of it or nothing. */
async function compile(/** @type {string} */ root, /** @type {string} */ entry, /** @type {string} */ file) {
  // The compiler that tsx brings.
  const tsx = createRequire(join(root, 'package.json')).resolve('tsx');
  const { build } = createRequire(tsx)('esbuild');
  const unfinished = `${file}.${process.pid}`;
  await build({
    entryPoints: [entry],
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Written in C: the first is not there and not missed, the other is loaded when it is needed.
    external: ['pg-native', '@duckdb/node-api'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
    },
    plugins: [keepingPlaces],
  });
  renameSync(unfinished, file);
}

/** Modules find what lies beside them, as SQL, migrations and native libraries, by where they themselves are. */
const keepingPlaces = {
  name: 'keeping-places',
  /** @param {any} build */
  setup(build) {
    build.onLoad({ filter: /\.(tsx?|[cm]?js)$/ }, (/** @type {{ path: string }} */ { path }) => {
      const text = readFileSync(path, 'utf8');
      const [, typed] = /\.(tsx?)$/.exec(path) ?? [];
      if (typed) {
        return {
          loader: typed,
          contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
        };
      }
      const isOwnName = /\b(?:const|let|var|import)\s+__(?:dirname|filename)\b/.test(text);
      const names = isOwnName ? [] : ['dirname', 'filename'].filter((name) => text.includes(`__${name}`));
      const places = { dirname: join(path, '..'), filename: path };
      const told = names.map((name) => `var __${name} = ${JSON.stringify(places[/** @type {'dirname'} */ (name)])};`);
      const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { loader: 'js', contents: told.length === 0 ? contents : withPlaces(contents, told.join(' ')) };
    });
  },
};

/** A directive must stay first. */
function withPlaces(/** @type {string} */ text, /** @type {string} */ told) {
  const directive = /^(#!.*\n)?\s*(['"])use strict\2;?/.exec(text)?.[0] ?? '';
  return `${directive};${told}${text.slice(directive.length)}`;
}

function hashOf(/** @type {string} */ text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
