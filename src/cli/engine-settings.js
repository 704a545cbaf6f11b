// @ts-check
import { setFlagsFromString } from 'node:v8';

// Garbage collection threshold, in percent of the live heap. V8's default allows several times as much, which doubles
// the memory of a large night for the same work (docs/contribute/performance.md).
setFlagsFromString('--heap-growing-percent=40');
// How much of its code a function runs before V8 optimizes it. By default that is a quarter, and a command that takes
// seconds spends a tenth of them on optimizing what it then hardly uses.
setFlagsFromString('--interrupt-budget=500000');
// Functions stay compiled. By default V8 forgets those that have not run for a while, and a command that takes a minute
// would keep few of those that the next one starts with.
setFlagsFromString('--no-flush-bytecode');

// pg asks `navigator`, as Node has it since version 21, where it runs. Without one it loads all that fetches from the
// web, which takes a seventh of the start.
globalThis.navigator ??= /** @type {Navigator} */ ({ userAgent: `Node.js/${process.versions.node.split('.')[0]}` });
