import { CommanderError } from 'commander';
import type { DestinationStream } from 'pino';
import type { Config } from '../app/config.ts';
import { clockFrom, systemClock } from '../base/clock.ts';
import { PricebookError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { upstreamPatienceMs } from '../crawl/patience.ts';
import type { Console } from './console.ts';
import type { Invocation, Verb } from './define-verb.ts';
import type { Interruption } from './interruption.ts';
import { createProgram, type GlobalOptions, verbs } from './program.ts';

interface Surroundings {
  readonly console: Console;
  readonly interruption: Interruption;
  /** Variables and the folder of `.env`; by default those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Destination of log lines without a terminal; by default stderr of this process. */
  readonly logTo?: DestinationStream;
  /** How long an upstream that does not answer is waited for; by default five minutes. */
  readonly patienceMs?: number;
}

/** Runs a command line. Resolves to the exit code; errors have been printed by then. */
export async function runCommandLine(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { console } = surroundings;
  let code: number | undefined;
  const named = verbs.filter(({ name }) => argv.includes(name));
  const loaded = new Map(await Promise.all(named.map(async (entry) => [entry.name, await entry.load()] as const)));
  const values = named.length === 0 ? null : await import('./option-values.ts');
  const program = createProgram(
    loaded,
    values?.readInstant ?? null,
    async (name, verb, options, globals) => {
      code = await invoke(name, verb, options, globals, surroundings);
    },
    { out: (text) => void console.data(text), error: console.say },
  );
  const isUnknown = argv[0] === 'help' && argv[1] !== undefined && named.length === 0;
  try {
    await program.parseAsync(isUnknown ? argv.slice(1) : argv, { from: 'user' });
    return code ?? 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // `--help` and `--version` exit with 0; a missing command exits with 2.
    return error.exitCode === 0 ? 0 : 2;
  }
}

async function invoke(
  name: string,
  verb: Verb,
  options: never,
  { now }: GlobalOptions,
  { console, interruption, env, cwd, logTo, patienceMs = upstreamPatienceMs }: Surroundings,
): Promise<number> {
  const [{ loadConfig }, logAt] = await Promise.all([import('../app/config.ts'), logOn(console, verb, logTo)]);
  const configured = once(() => loadConfig(env, cwd === undefined ? {} : { cwd }));
  const log = once(() => logAt(levelFor(verb, configured())));
  const invocation: Invocation = {
    name,
    get config() {
      return configured();
    },
    get log() {
      return log();
    },
    clock: now ? clockFrom(now) : systemClock,
    console,
    signal: interruption.signal,
    end: interruption.end,
    patienceMs,
  };
  try {
    const code = await verb.run(options, invocation);
    return interruption.exitCode() ?? code ?? 0;
  } catch (error) {
    console.redraw([]);
    const { reason } = interruption.signal;
    const code = error === reason && error !== undefined ? 1 : await explain(error, console, verb, logTo);
    return interruption.exitCode() ?? code;
  }
}

/** Prints an error and returns the exit code: one line for an expected error, the stack for a bug. */
export async function explain(
  error: unknown,
  console: Console,
  verb: Pick<Verb, 'logsLike'> = {},
  logTo?: DestinationStream,
): Promise<number> {
  if (error instanceof PricebookError) {
    console.say(`pricebook: ${error.message}`);
    return error.exitCode;
  }
  const log = (await logOn(console, verb, logTo))('error');
  log.error({ err: error }, 'unexpected error: this is a bug in pricebook');
  return 1;
}

/**
 * Returns a factory of logs by level. On a terminal, log lines are printed above the progress lines. Elsewhere services
 * write JSON, and other commands lines for people.
 */
async function logOn(
  console: Console,
  { logsLike }: Pick<Verb, 'logsLike'>,
  logTo?: DestinationStream,
): Promise<(level: string) => Log> {
  const { createLog } = await import('../base/log.ts');
  if (!console.isTerminal && logsLike === undefined)
    return (level) => createLog({ level, to: { write: (line) => console.say(forPeople(line)) } });
  if (!console.isTerminal) return (level) => createLog({ level, ...(logTo ? { to: logTo } : {}) });
  const { default: pretty } = await import('pino-pretty');
  const prettify = pretty.prettyFactory({ ignore: 'pid,hostname', colorize: true });
  return (level) => createLog({ level, to: { write: (line) => console.say(prettify(JSON.parse(line))) } });
}

/** A log line as text: `warning: the clock differs (skewMs: 3000)`, and the stack of a bug below it. */
function forPeople(line: string): string {
  const { level, time: _, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown> & { err?: Error };
  const word = Number(level) >= 50 ? 'error' : Number(level) >= 40 ? 'warning' : 'info';
  const facts = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const more = facts.length > 0 ? ` (${facts.join(', ')})` : '';
  return `${word}: ${msg}${more}${err ? `\n${err.stack ?? err.message}` : ''}`;
}

function levelFor({ logsLike }: Verb, { logLevel, settings }: Config): string {
  const isSet = settings.some(({ name, origin }) => name === 'LOG_LEVEL' && origin !== 'default');
  return isSet || logsLike === 'service' ? logLevel : 'warn';
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
