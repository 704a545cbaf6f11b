import { Refused } from '../base/errors.ts';

/** Whether listening failed because the port is in use. */
export function isPortTaken(error: unknown): boolean {
  return codeOf(error) === 'EADDRINUSE';
}

/** The error to throw if listening failed; `settings` name what to correct. An unknown error is returned as it is. */
export function cannotListen(error: unknown, host: string, port: number, settings: string): unknown {
  const why = reasons[codeOf(error) ?? ''];
  return why === undefined ? error : new Refused(78, `Cannot listen on ${host}:${port}: ${why}. Correct ${settings}.`);
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | null)?.code;

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it',
  EACCES: 'ports below 1024 need root',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host name does not exist',
};
