import { createSimulator, type SimulatorOptions } from '../../src/simulator/index.ts';

// Started by upstream.ts: options in, the URL out; it ends with its parent.
const simulator = await createSimulator(JSON.parse(process.argv[2] ?? '{}') as SimulatorOptions);
process.send?.(simulator.url);
process.on('disconnect', () => void simulator.close().then(() => process.exit(0)));
