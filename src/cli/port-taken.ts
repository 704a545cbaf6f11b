import { PricebookError } from '../errors.ts';

/** Somebody else listens where we were told to. */
export class PortTaken extends PricebookError {
  override readonly name = 'PortTaken';
  constructor(host: string, port: number, advice: string) {
    super(`${host}:${port} is in use by another program. ${advice}`);
  }
}

/** Whether listening failed because somebody else listens there. */
export function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'EADDRINUSE';
}
