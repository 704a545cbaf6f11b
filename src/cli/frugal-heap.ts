import { setFlagsFromString } from 'node:v8';

// Garbage collection threshold, in percent of the live heap. V8's default allows several times as much, which doubles
// the memory of a large night for the same work (docs/contribute/performance.md).
setFlagsFromString('--heap-growing-percent=40');
