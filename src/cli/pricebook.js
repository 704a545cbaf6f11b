#!/usr/bin/env node
import { pathToFileURL } from 'node:url';
import { compiledProgram } from './compiled-program.js';

const compiled = await compiledProgram();
if (compiled) await import(pathToFileURL(compiled).href);
else {
  // The program is TypeScript and runs as it is; this makes Node understand it.
  const { register } = await import('tsx/esm/api');
  register();
  await import('./main.ts');
}
