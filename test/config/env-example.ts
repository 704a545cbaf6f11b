import type { Variable } from '../../src/app/config/environment.ts';

/** The text of `.env.example`: every variable, explained and commented out, so that copying it changes nothing. */
export function envExample(variables: readonly Variable[]): string {
  const blocks = variables.map(
    ({ name, description, default: fallback, secret }) =>
      `# ${description}\n# Not set: ` +
      `${fallback}.${secret ? ` ${name}_FILE may name a file that holds it.` : ''}\n#${name}=\n`,
  );
  return [`# Copy to .env and set what you need. The environment wins over this file.\n`, ...blocks].join('\n');
}
