import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Where the numbers of processes mean the same: a boot of a machine, and on it a namespace of process ids. Containers
 * may share a host name, and number their processes alike. Null where the system has no name for it.
 */
export function processSpace(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}
