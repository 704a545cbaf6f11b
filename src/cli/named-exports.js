// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const namespace = 'named-exports';

/**
 * Gives a CommonJS library that is imported dynamically (`await import('cookie')`) the named exports that Node
 * provides. Bundled into its own file, it would only have `default`.
 * @param {any} build
 */
export function keepNamedExports(build) {
  build.onResolve({ filter: /^[^.]/ }, async (/** @type {any} */ { path, kind, resolveDir, pluginData }) => {
    if (kind !== 'dynamic-import' || pluginData === namespace) return;
    const found = await build.resolve(path, { kind, resolveDir, pluginData: namespace });
    if (found.errors.length > 0 || found.external || !isCommonJs(found.path)) return found;
    return { path: found.path, namespace };
  });
  build.onLoad({ filter: /.*/, namespace }, async (/** @type {{ path: string }} */ { path }) => {
    // Only Node knows which names its CommonJS analysis detects.
    const names = Object.keys(await import(pathToFileURL(path).href)).filter((name) => !ofNode.has(name));
    const lines = names.map((name, i) => `const n${i} = found[${JSON.stringify(name)}];`);
    const exported = names.map((name, i) => `n${i} as ${JSON.stringify(name)}`);
    const contents = [
      `const found = require(${JSON.stringify(path)});`,
      ...lines,
      `export { found as default, ${exported.join(', ')} };`,
    ].join('\n');
    return { resolveDir: dirname(path), contents };
  });
}

/** Names that Node adds to the exports of the library. */
const ofNode = new Set(['default', 'module.exports', '__esModule']);

function isCommonJs(/** @type {string} */ path) {
  if (extname(path) === '.cjs') return true;
  return extname(path) === '.js' && typeOfPackage(dirname(path)) !== 'module';
}

/**
 * Package type from the nearest `package.json`, as Node resolves it.
 * @returns {string | undefined}
 */
function typeOfPackage(/** @type {string} */ folder) {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return /** @type {{ type?: string }} */ (JSON.parse(readFileSync(file, 'utf8'))).type;
  return dirname(folder) === folder ? undefined : typeOfPackage(dirname(folder));
}
