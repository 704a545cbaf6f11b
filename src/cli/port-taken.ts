import { PricebookError } from '../base/errors.ts';

/** Another program listens on the configured port. */
export class PortTaken extends PricebookError {
  override readonly exitCode = 78;
  constructor(host: string, port: number, advice: string) {
    super(`${host}:${port} is in use by another program. ${advice}`);
  }
}

/** The configured address or port cannot be used. */
class CannotListen extends PricebookError {
  override readonly exitCode = 78;
  constructor(host: string, port: number, why: string, variables: string) {
    super(`Cannot listen on ${host}:${port}: ${why}. Correct ${variables}.`);
  }
}

/** Whether listening failed because the port is in use. */
export function isPortTaken(error: unknown): boolean {
  return codeOf(error) === 'EADDRINUSE';
}

/** The error to throw if listening failed for another reason than a port in use; `variables` name the settings. */
export function listeningFailed(error: unknown, host: string, port: number, variables: string): unknown {
  const why = reasons[codeOf(error) ?? ''];
  return why === undefined ? error : new CannotListen(host, port, why, variables);
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | null)?.code;

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'ports below 1024 need root',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  EAFNOSUPPORT: 'this machine does not support that kind of address',
};
