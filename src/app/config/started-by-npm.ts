/**
 * Whether npx runs the program, so that `pricebook` is not in the PATH. Separate, because it is needed before the
 * configuration is loaded.
 */
export function isStartedByNpx(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return env['npm_command'] === 'exec';
}

/** Whether an npm script runs the program: `npm start`, `npm run pricebook`. */
export function isStartedByScript(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return env['npm_package_name'] === 'pricebook' && ['start', 'pricebook'].includes(env['npm_lifecycle_event'] ?? '');
}
