import './frugal-heap.ts';
import { columnsIn } from '../app/config/columns.ts';
import { isStartedByScript } from '../app/config/started-by-npm.ts';
import { PricebookError } from '../base/errors.ts';
import { graceMs } from './closing.ts';
import { explain, runCommandLine } from './command-line.ts';
import { createConsole } from './console.ts';
import { listenForSignals } from './interruption.ts';
import { verbs } from './verbs/index.ts';

/** What is still open when the command is over would keep the process alive; this long it may take to close. */
const lingerMs = 2_000;
/** What has not ended by then mostly waits for a server that is away. The ledger bears being killed at any moment. */
const lastMs = graceMs + 10_000;

// npm hands a signal on to the shell that it runs scripts in, and most shells end without handing it on.
const interruption = listenForSignals({ endsWithParent: isStartedByScript() });
const { signal } = interruption;
const console = createConsole(process.stdout, process.stderr, signal, columnsIn());
signal.addEventListener('abort', () => {
  const { reason } = signal;
  console.say(
    reason instanceof PricebookError
      ? `pricebook: ${reason.message}`
      : `pricebook: ${reason.message}; finishing what is in progress (once more ends at once)`,
  );
  setTimeout(() => {
    console.say(
      `pricebook: what is in progress has not ended in ${lastMs / 1_000} seconds and ends here; nothing is lost, the next command does it again`,
    );
    process.exit(interruption.exitCode() ?? 1);
  }, lastMs).unref();
});
// Data that could not be written are known late, sometimes when all else is done.
process.on('exit', (code) => {
  if (code === 0 && console.hasFailed()) process.exitCode = 1;
});
process.on('uncaughtException', async (error) => process.exit(await explain(error, console)));

process.exitCode = await runCommandLine(process.argv.slice(2), verbs, { console, interruption });
setTimeout(() => process.exit(), lingerMs).unref();
