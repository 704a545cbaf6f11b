import './engine-settings.js';
import { PricebookError } from '../base/errors.ts';
import { graceMs } from './closing.ts';
import { explain, runCommandLine } from './command-line.ts';
import { createConsole } from './console.ts';
import { listenForSignals } from './interruption.ts';

/** Time that open handles may take to close after the command has finished. */
const lingerMs = 2_000;
/** After this time the process waits for an unreachable server. The ledger tolerates a kill at any moment. */
const lastMs = graceMs + 10_000;

// npm sends signals to the shell of a script; most shells exit without forwarding them.
const { npm_package_name: npmPackage, npm_lifecycle_event: script = '' } = process.env;
const endsWithParent = npmPackage === 'pricebook' && ['start', 'pricebook'].includes(script);
const interruption = listenForSignals({ endsWithParent });
const { signal } = interruption;
const console = createConsole(process.stdout, process.stderr, signal);
signal.addEventListener('abort', () => {
  const { reason } = signal;
  const more = reason instanceof PricebookError ? '' : '; finishing work in progress (repeat to stop at once)';
  console.say(`pricebook: ${reason.message}${more}`);
  setTimeout(() => {
    console.say(
      `pricebook: work in progress did not finish in ${lastMs / 1_000} seconds and is stopped. ` +
        'Nothing is lost: the next command repeats it.',
    );
    process.exit(interruption.exitCode() ?? 1);
  }, lastMs).unref();
});
// Failed writes may be reported only after all work is done.
process.on('exit', (code) => {
  if (code === 0 && console.hasFailed()) process.exitCode = 1;
});
process.on('uncaughtException', async (error) => process.exit(await explain(error, console)));

void runCommandLine(process.argv.slice(2), { console, interruption }).then((code) => {
  process.exitCode = code;
  setTimeout(() => process.exit(), lingerMs).unref();
});
