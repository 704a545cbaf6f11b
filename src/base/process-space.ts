import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Identifies the space in which process ids are unique: host name, boot and PID namespace. The host name is not
 * sufficient, because containers may share it and use the same ids. Null on systems without /proc.
 */
export function processSpace(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}
