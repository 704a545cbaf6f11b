// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Libraries that read files of their own stay in node_modules. */
const external = ['@aws-sdk/*', '@bull-board/*', '@duckdb/node-api', 'pino-pretty'];
/** What CommonJS libraries expect to find. */
const commonJs = `import { createRequire as requireFrom } from 'node:module';
  const [require, __filename, __dirname] = [requireFrom(import.meta.url), import.meta.filename, import.meta.dirname];`;

/**
 * Bundles a program into a folder, in parts that are loaded on demand. Sources find what lies beside them. A CommonJS
 * library that is imported on demand has a default export only.
 */
export async function bundle(/** @type {string} */ program, /** @type {string} */ outdir) {
  const { build } = await import('esbuild');
  const placeOf = (/** @type {string} */ path) =>
    `new URL(${JSON.stringify(relative(outdir, path).replaceAll('\\', '/'))}, import.meta.url).href`;
  const keepPlaces = (/** @type {import('esbuild').PluginBuild} */ { onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', () => placeOf(path)),
      loader: 'ts',
    }));
  await build({
    ...{ entryPoints: { program }, outdir, bundle: true, splitting: true, format: 'esm', platform: 'node', external },
    ...{ outExtension: { '.js': '.mjs' }, banner: { js: commonJs }, logLevel: 'silent' },
    plugins: [{ name: 'keep-places', setup: keepPlaces }],
  });
}

/** Path of a bundled program, made anew if a source or library has changed. Others stay: they may be running. */
export async function freshBundle(/** @type {string} */ root, /** @type {string} */ program) {
  const libraries = realpathSync(join(root, 'node_modules'));
  const files = ['src', 'jobs', dirname(program)].flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((name) => join(root, place, name)),
  );
  const state = [...files, join(libraries, '.package-lock.json')].map((path) => {
    const file = statSync(path, { throwIfNoEntry: false });
    return `${path} ${file?.size} ${file?.mtimeMs}`;
  });
  const name = createHash('sha256').update(state.join('\n')).digest('hex').slice(0, 16);
  const folder = join(libraries, '.cache', 'pricebook', name);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    await bundle(join(root, program), unfinished);
    try {
      renameSync(unfinished, folder);
    } catch {
      // Another start was faster.
      rmSync(unfinished, { recursive: true });
    }
  }
  return join(folder, 'program.mjs');
}
