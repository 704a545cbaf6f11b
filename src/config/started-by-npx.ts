/** Whether npx runs the program, which is then on nobody's path. Apart from the rest, for it is asked before anything is loaded. */
export function isStartedByNpx(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return env['npm_command'] === 'exec';
}
