#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import './engine-settings.js';
import { freshBundle } from './bundle.js';

module.enableCompileCache?.();
const root = fileURLToPath(new URL('../../', import.meta.url));
const program = await freshBundle(root, 'src/cli/main.ts').catch(() => null);
if (program) await import(pathToFileURL(program).href);
else {
  // Without a bundle, tsx runs the TypeScript sources, with the program's own tsconfig.json.
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: `${root}tsconfig.json` });
  await import('./main.ts');
}
