/**
 * Whether npx runs the program, which is then on nobody's path. Apart from the rest, for it is asked before anything is
 * loaded.
 */
export function isStartedByNpx(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return env['npm_command'] === 'exec';
}

/** Whether a script of this package runs the program: `npm start`, `npm run pricebook`. */
export function isStartedByScript(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return env['npm_package_name'] === 'pricebook' && ['start', 'pricebook'].includes(env['npm_lifecycle_event'] ?? '');
}
