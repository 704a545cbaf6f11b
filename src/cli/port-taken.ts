import { PricebookError } from '../base/errors.ts';

/** Somebody else listens where we were told to. */
export class PortTaken extends PricebookError {
  override readonly name = 'PortTaken';
  override readonly exitCode = 78;
  constructor(host: string, port: number, advice: string) {
    super(`${host}:${port} is in use by another program. ${advice}`);
  }
}

/** The address or the port we were told to listen on cannot be ours. */
class CannotListen extends PricebookError {
  override readonly name = 'CannotListen';
  override readonly exitCode = 78;
  constructor(host: string, port: number, why: string, variables: string) {
    super(`Nothing can listen on ${host}:${port}: ${why}. Correct ${variables}.`);
  }
}

/** Whether listening failed because somebody else listens there. */
export function isPortTaken(error: unknown): boolean {
  return codeOf(error) === 'EADDRINUSE';
}

/** What to throw when listening failed otherwise than by a port that is taken; `variables` say where. */
export function listeningFailed(error: unknown, host: string, port: number, variables: string): unknown {
  const why = reasons[codeOf(error) ?? ''];
  return why === undefined ? error : new CannotListen(host, port, why, variables);
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | null)?.code;

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'a port below 1024 is for root alone',
  EADDRNOTAVAIL: 'that is no address of this machine',
  ENOTFOUND: 'no address is known for that name',
  EAI_AGAIN: 'the name cannot be looked up now',
  EAFNOSUPPORT: 'this machine has no addresses of that kind',
};
