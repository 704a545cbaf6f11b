import { samplesFolder } from './samples-folder.ts';
import { openSamples, surveySamples } from './survey.ts';

// `npm run samples`: what of the samples of real data is understood, as a table. Notes name what is not.
const folder = samplesFolder();
if (folder === null) {
  console.log('There are no samples beside this checkout (../shared/samples); nothing to report.');
} else {
  for (const { what, total, understood, notes } of surveySamples(openSamples(folder))) {
    const share = total === 0 ? '' : `${((understood / total) * 100).toFixed(1)} %`;
    console.log(
      `${what.padEnd(62)} ${String(understood).padStart(6)} of ${String(total).padEnd(6)} ${share.padStart(7)}`,
    );
    for (const note of notes.slice(0, 12)) console.log(`    ${note.slice(0, 150)}`);
    if (notes.length > 12) console.log(`    and ${notes.length - 12} more`);
  }
}
