import { fileURLToPath } from 'node:url';
import { compiledProgram } from '../../src/cli/compiled-program.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Node arguments that run a program of the tests, by its path from the root: compiled, it starts four times as fast.
 */
export async function programArgs(entry: string): Promise<readonly string[]> {
  const compiled = await compiledProgram({ entry });
  return compiled ? [compiled] : ['--import', 'tsx', `${root}${entry}`];
}
