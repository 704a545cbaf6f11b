// @ts-check
// Makes `dist`, what `npm pack` puts into the package: the program as JavaScript, so that nothing is compiled where it
// runs.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../src/cli/bundle.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = join(root, 'dist');

rmSync(folder, { recursive: true, force: true });
await bundle(join(root, 'src/cli/main.ts'), folder);
writeFileSync(join(folder, 'pricebook.js'), "#!/usr/bin/env node\nimport './program.mjs';\n");
chmodSync(join(folder, 'pricebook.js'), 0o755);
