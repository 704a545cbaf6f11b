import { readdirSync, readFileSync } from 'node:fs';

/** Processor seconds that processes have used, their ended children included; zero where the machine does not say. */
export function processorSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + secondsOf(pid), 0);
}

/** A process and all below it. */
export function processTree(root: number): number[] {
  const parents = new Map(numbersIn('/proc').map((pid) => [pid, fieldsOf(pid)?.parent]));
  const tree = [root];
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  return tree;
}

/** The kernel counts in hundredths of a second. */
const ticksPerSecond = 100;

function secondsOf(pid: number): number {
  return (fieldsOf(pid)?.ticks ?? 0) / ticksPerSecond;
}

/** Of `/proc/PID/stat`, behind the name, which may hold anything: fields 4 and 14 to 17 of proc(5). */
function fieldsOf(pid: number): { readonly parent: number; readonly ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: fields[1]!, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) };
  } catch {
    return null;
  }
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
