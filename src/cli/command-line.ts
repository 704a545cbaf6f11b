import { CommanderError } from 'commander';
import type { DestinationStream } from 'pino';
import type { Config } from '../app/config.ts';
import { clockFrom, systemClock } from '../base/clock.ts';
import { PricebookError, SchemaGone } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Console } from './console.ts';
import type { Invocation, Verb, VerbEntry } from './define-verb.ts';
import type { Interruption } from './interruption.ts';
import { upstreamPatienceMs } from './patience.ts';
import { createProgram, type GlobalOptions } from './program.ts';

/** What a command line is run with beside its words. */
interface Surroundings {
  readonly console: Console;
  readonly interruption: Interruption;
  /** Variables, and the folder of `.env`; by default those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Where log lines go that are not drawn on a terminal; by default stderr of this process. */
  readonly logTo?: DestinationStream;
  /** How long an upstream that does not answer is waited for; by default five minutes. */
  readonly patienceMs?: number;
}

/** Runs one command line to its end. Resolves to the exit code; whatever goes wrong has been said by then. */
export async function runCommandLine(
  argv: readonly string[],
  verbs: readonly VerbEntry[],
  surroundings: Surroundings,
): Promise<number> {
  const { console } = surroundings;
  let code: number | undefined;
  const named = verbs.filter(({ name }) => argv.includes(name));
  const loaded = new Map(await Promise.all(named.map(async (entry) => [entry.name, await entry.load()] as const)));
  // Without one there is nothing to read, and help is printed at once.
  const values = named.length === 0 ? null : await import('./option-values.ts');
  const program = createProgram(
    verbs,
    loaded,
    values?.readInstant ?? null,
    async (verb, options, globals) => {
      code = await invoke(verb, options, globals, surroundings);
    },
    { out: (text) => void console.data(text), error: console.say },
  );
  try {
    await program.parseAsync(unknownCommandIn(argv, verbs) ?? [...argv], { from: 'user' });
    return code ?? 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Asking for help or the version is no mistake; naming no command is.
    return error.exitCode === 0 ? 0 : 2;
  }
}

/**
 * A word in the place of a command that is none, alone: with `--help` beside it, or after `help`, it would pass for a
 * question.
 */
function unknownCommandIn(argv: readonly string[], verbs: readonly VerbEntry[]): [string] | null {
  const [word] = argv[0] === 'help' ? argv.slice(1) : argv;
  const isOption = word?.startsWith('-') ?? true;
  return word === undefined || isOption || word === 'help' || verbs.some(({ name }) => name === word) ? null : [word];
}

async function invoke(
  verb: Verb,
  options: never,
  { now }: GlobalOptions,
  { console, interruption, env, cwd, logTo, patienceMs = upstreamPatienceMs }: Surroundings,
): Promise<number> {
  const [{ loadConfig }, logAt] = await Promise.all([import('../app/config.ts'), logOn(console, logTo)]);
  const configured = once(() => loadConfig(env, cwd === undefined ? {} : { cwd }));
  const log = once(() => logAt(levelFor(verb, configured())));
  const invocation: Invocation = {
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
    if (error === reason && error !== undefined) return interruption.exitCode() ?? 1;
    // What it still wrote as it ended found no place.
    if (reason instanceof SchemaGone && !(error instanceof PricebookError))
      return interruption.exitCode() ?? reason.exitCode;
    const code = await explain(error, console, logTo);
    return interruption.exitCode() ?? code;
  }
}

/** Says what went wrong and returns the exit code: an expected error is one clear line, a bug keeps its stack. */
export async function explain(error: unknown, console: Console, logTo?: DestinationStream): Promise<number> {
  if (error instanceof PricebookError) {
    console.say(`pricebook: ${error.message}`);
    return error.exitCode;
  }
  const log = (await logOn(console, logTo))('error');
  log.error({ err: error }, 'something happened that should not: this is a bug in pricebook');
  return 1;
}

/** Makes logs of a level. Their lines go above what is being redrawn at the bottom of a terminal. */
async function logOn(console: Console, logTo?: DestinationStream): Promise<(level: string) => Log> {
  const { createLog } = await import('../base/log.ts');
  if (!console.isTerminal) return (level) => createLog({ level, ...(logTo ? { to: logTo } : {}) });
  const { default: pretty } = await import('pino-pretty');
  const prettify = pretty.prettyFactory({ ignore: 'pid,hostname', colorize: true });
  return (level) => createLog({ level, to: { write: (line) => console.say(prettify(JSON.parse(line))) } });
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
