/** Whether an npm script runs the program: `npm start`, `npm run pricebook`. */
export function isStartedByScript(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return env['npm_package_name'] === 'pricebook' && ['start', 'pricebook'].includes(env['npm_lifecycle_event'] ?? '');
}
