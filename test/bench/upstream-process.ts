import { createSimulator, type SimulatorOptions } from '../../src/simulator/index.ts';

// Started by upstream.ts: options in, the URL out; it ends with its parent. Its rates keep measurements comparable.
const rates = { dailyChange: 0.015, promoted: 0.25, packChanges: 0.0005 };
const simulator = await createSimulator({ ...rates, ...(JSON.parse(process.argv[2] ?? '{}') as SimulatorOptions) });
process.send?.(simulator.url);
process.on('disconnect', () => void simulator.close().then(() => process.exit(0)));
