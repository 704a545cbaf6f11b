// @ts-check
// Makes `dist`, what `npm pack` puts into the package: program and library as JavaScript, so that nothing is compiled
// where it runs, and the library's types in one file.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateDtsBundle } from 'dts-bundle-generator';
import { compile } from '../src/cli/compile.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = join(root, 'dist');

rmSync(folder, { recursive: true, force: true });
const library = join(root, 'src/questions/book.ts');
await compile({ root, entry: 'src/cli/main.ts', more: { book: library }, folder, isMovable: true });
const [types] = generateDtsBundle(
  [{ filePath: library, noCheck: true, output: { exportReferencedTypes: false, noBanner: true } }],
  { preferredConfigPath: join(root, 'tsconfig.json') },
);
writeFileSync(join(folder, 'book.d.mts'), types ?? '');
writeFileSync(join(folder, 'pricebook.js'), "#!/usr/bin/env node\nimport './program.mjs';\n");
chmodSync(join(folder, 'pricebook.js'), 0o755);
