import type { Run } from '../../crawl/ledger/runs.ts';
import type { Console } from '../console.ts';
import { count } from '../output/words.ts';

/** Shows the progress of played nights: one line per finished night, and the current night on a terminal. */
export function showPlayedNights(console: Console, total: number) {
  let night = 0;
  let date = '';
  return {
    begin(snapshotDate: string) {
      night += 1;
      date = snapshotDate;
      console.redraw([`night ${night} of ${total}: ${date} …`]);
    },
    done(runs: readonly Run[]) {
      const said = runs.map(({ region, verdict, status, productsListed }) => {
        const listed = productsListed === null ? '' : ` with ${count(productsListed)} products`;
        return `${region} ${verdict?.replaceAll('_', ' ') ?? status}${listed}`;
      });
      const byRegion = said.sort().reverse();
      console.say(`night ${night} of ${total}: ${[date, ...byRegion].join(', ')}`);
    },
    end: () => console.redraw([]),
  };
}
