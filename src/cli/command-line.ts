import { CommanderError } from 'commander';
import type { DestinationStream } from 'pino';
import pretty from 'pino-pretty';
import { clockFrom, systemClock } from '../clock.ts';
import { type Config, loadConfig } from '../config.ts';
import { PricebookError } from '../errors.ts';
import { createLog, type Log } from '../log.ts';
import type { Console } from './console.ts';
import type { Invocation, Verb } from './define-verb.ts';
import type { Interruption } from './interruption.ts';
import { createProgram, type GlobalOptions } from './program.ts';

/** What a command line is run with beside its words. */
export interface Surroundings {
  readonly console: Console;
  readonly interruption: Interruption;
  /** Variables, and the folder of `.env`; by default those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Where log lines go that are not drawn on a terminal; by default stderr of this process. */
  readonly logTo?: DestinationStream;
}

/** Runs one command line to its end. Resolves to the exit code; whatever goes wrong has been said by then. */
export async function runCommandLine(
  argv: readonly string[],
  verbs: readonly Verb[],
  surroundings: Surroundings,
): Promise<number> {
  const { console } = surroundings;
  let code: number | undefined;
  const program = createProgram(
    verbs,
    async (verb, options, globals) => {
      code = await invoke(verb, options, globals, surroundings);
    },
    { out: (text) => void console.data(text), error: console.say },
  );
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code ?? 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Asking for help or the version is no mistake; naming no command is.
    return error.exitCode === 0 ? 0 : 2;
  }
}

async function invoke(
  verb: Verb,
  options: never,
  { now }: GlobalOptions,
  { console, interruption, env, cwd, logTo }: Surroundings,
): Promise<number> {
  const configured = once(() => loadConfig(env, cwd === undefined ? {} : { cwd }));
  const log = once(() => createLog({ level: levelFor(verb, configured()), ...logTarget(console, logTo) }));
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
  };
  try {
    const code = await verb.run(options, invocation);
    return interruption.exitCode() ?? code ?? 0;
  } catch (error) {
    console.redraw([]);
    if (error === interruption.signal.reason && error !== undefined) return interruption.exitCode() ?? 1;
    const code = explain(error, console, logTo);
    return interruption.exitCode() ?? code;
  }
}

/** Says what went wrong and returns the exit code: an expected error is one clear line, a bug keeps its stack. */
export function explain(error: unknown, console: Console, logTo?: DestinationStream): number {
  if (error instanceof PricebookError) {
    console.say(`pricebook: ${error.message}`);
    return error.exitCode;
  }
  const log: Log = createLog({ level: 'error', ...logTarget(console, logTo) });
  log.error({ err: error }, 'something happened that should not: this is a bug in pricebook');
  return 1;
}

/** Log lines go above what is being redrawn at the bottom of a terminal. */
function logTarget(console: Console, logTo?: DestinationStream): { to?: DestinationStream } {
  if (!console.isTerminal) return logTo ? { to: logTo } : {};
  const prettify = pretty.prettyFactory({ ignore: 'pid,hostname', colorize: true });
  return { to: { write: (line) => console.say(prettify(JSON.parse(line))) } };
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
