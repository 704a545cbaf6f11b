import { type Base, type Crawler, compose, composeCrawler } from '../app/compose.ts';
import { using } from './closing.ts';
import type { Invocation } from './define-verb.ts';

/** Opens the database for a command, and closes it after `use`. */
export function withBase<Result>(invocation: Invocation, use: (base: Base) => Promise<Result>): Promise<Result> {
  return using(compose(invocation.config, invocation), use);
}

/** The same with a gateway, for a command that sends single requests. */
export function withGateway<Result>(
  invocation: Invocation,
  use: (context: Crawler['context'], base: Base) => Promise<Result>,
): Promise<Result> {
  return withBase(invocation, (base) => using(composeCrawler(base, { jobs: [] }), ({ context }) => use(context, base)));
}
