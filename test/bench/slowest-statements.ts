import type { WatchedPublication } from './publication-watch.ts';

/** The statements that took most of a publication, a line each. */
export function slowestStatements({ statements }: WatchedPublication, most = 12): string {
  return [...statements]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, most)
    .filter(({ seconds }) => seconds > 0.02)
    .map(({ text, seconds }) => `    ${seconds.toFixed(2)} s  ${text.trim().replace(/\s+/g, ' ').slice(0, 110)}`)
    .join('\n');
}
