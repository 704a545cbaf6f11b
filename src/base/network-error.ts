const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** Whether a system error code means that a server is not reachable; ENOENT is a missing socket file. */
export function isNetworkCode(code: string): boolean {
  return codes.has(code);
}
