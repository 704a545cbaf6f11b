import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

/** Prints the slowest files of a run of many, with the seconds of their tests and hooks. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return;
    const secondsOf = (module: TestModule) => module.diagnostic().duration / 1_000;
    const slowest = modules.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, shown);
    console.log('\n Slowest files');
    for (const module of slowest) {
      console.log(`${secondsOf(module).toFixed(1).padStart(7)} s  ${module.relativeModuleId}`);
    }
  }
}
