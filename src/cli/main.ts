import { columnsIn } from '../config/columns.ts';
import { explain, runCommandLine } from './command-line.ts';
import { createConsole } from './console.ts';
import { listenForSignals } from './interruption.ts';
import { verbs } from './verbs/index.ts';

/** What is still open when the command is over would keep the process alive; this long it may take to close. */
const lingerMs = 2_000;

const interruption = listenForSignals();
const { signal } = interruption;
const console = createConsole(process.stdout, process.stderr, signal, columnsIn());
signal.addEventListener('abort', () => {
  console.say(`pricebook: ${signal.reason.message}; finishing what is in progress (once more ends at once)`);
});
process.on('uncaughtException', async (error) => process.exit(await explain(error, console)));

process.exitCode = await runCommandLine(process.argv.slice(2), verbs, { console, interruption });
setTimeout(() => process.exit(), lingerMs).unref();
