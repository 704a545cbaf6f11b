#!/usr/bin/env node
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compiledProgram } from './compiled-program.js';

// Node answers it with an error, and what makes the program runnable asks for it already.
try {
  process.cwd();
} catch {
  console.error('pricebook: the folder it is started in does not exist any more; change to one that does');
  process.exit(78);
}

const compiled = await compiledProgram();
if (compiled) await import(pathToFileURL(compiled).href);
else {
  // The program is TypeScript and runs as it is; this makes Node understand it.
  const { register } = await import('tsx/esm/api');
  // Its own settings, whatever folder it is started in.
  register({ tsconfig: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)) });
  await import('./main.ts');
}
