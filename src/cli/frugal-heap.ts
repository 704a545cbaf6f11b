import { setFlagsFromString } from 'node:v8';

// How much may become garbage before it is looked for, in percent of what is in use. By itself V8 allows several times
// as much, and a night of many products then takes twice the memory for the same work (docs/contribute/performance.md).
setFlagsFromString('--heap-growing-percent=40');
