import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `.ci/run` installs the packages of PyPI here that tests can use. */
const installed = fileURLToPath(new URL('../../node_modules/.cache/python/bin/python', import.meta.url));

export const python = existsSync(installed) ? installed : 'python3';
