#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import './engine-settings.js';
import { compiledProgram } from './compiled-program.js';
import { runCompiled } from './run-compiled.js';

// `process.cwd()` throws if the folder was deleted, and loading the program calls it.
try {
  process.cwd();
} catch {
  console.error('pricebook: the current folder no longer exists; change to another folder');
  process.exit(78);
}

const compiled = await compiledProgram();
if (compiled) runCompiled(compiled);
else {
  // Without a compiled program, tsx runs the TypeScript sources.
  const { register } = await import('tsx/esm/api');
  // Always uses the program's own tsconfig.json.
  register({ tsconfig: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)) });
  await import('./main.ts');
}
