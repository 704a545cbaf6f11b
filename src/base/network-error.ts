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

/** Whether a system code says that the way to a server failed; ENOENT is a socket file that is gone. */
export function isNetworkCode(code: string): boolean {
  return codes.has(code);
}
