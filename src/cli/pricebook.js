#!/usr/bin/env node
// The program is TypeScript and runs as it is; this makes Node understand it.
import { register } from 'tsx/esm/api';

register();
await import('./main.ts');
