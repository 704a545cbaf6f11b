import { compose } from '../../app/compose.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { listQuarantined, type QuarantinedGroup } from '../../crawl/status/quarantined.ts';
import { endpoints } from '../../source/endpoints/index.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { oneOf, readRegion } from '../option-values.ts';
import { tableOf } from '../output/table.ts';
import { count } from '../output/words.ts';

interface Options {
  readonly endpoint?: string;
  readonly region?: RegionCode;
  readonly json?: boolean;
}

const names = endpoints.map(({ name }) => name);

export const quarantine = defineVerb<Options>({
  declare(command) {
    command
      .option('--endpoint <name>', 'of one endpoint, such as uk-category-page (default: all)', oneOf(names))
      .option('--region <region>', 'uk or ie (default: both)', readRegion)
      .option('--json', 'print JSON');
  },

  run({ endpoint, region, json }, { config, clock, log, console }) {
    return using(compose(config, { clock, log, name: 'quarantine' }), async ({ db }) => {
      const groups = await listQuarantined(db, { endpoint, region });
      if (json) await console.data(`${JSON.stringify({ version: 1, quarantine: groups.map(groupJson) })}\n`);
      else if (groups.length === 0) console.say('Nothing is in quarantine.');
      else {
        await console.data(tableOf(columns, groups, { width: console.dataWidth() }));
        const elements = groups.reduce((total, group) => total + group.elements, 0);
        console.say(
          `${count(elements)} elements. Fix the contract in src/source/endpoints, then \`pricebook replay\` takes them in.`,
        );
      }
    });
  },
});

const columns: Readonly<Record<string, (group: QuarantinedGroup) => unknown>> = {
  endpoint: (group) => group.endpoint,
  path: (group) => group.path,
  reason: (group) => group.reason,
  elements: (group) => group.elements,
  runs: (group) => group.runs,
  'first seen': (group) => group.firstSeenAt,
  'last seen': (group) => group.lastSeenAt,
  sample: (group) => group.sample,
};

function groupJson({ firstSeenAt, lastSeenAt, sample, ...group }: QuarantinedGroup) {
  return { ...group, first_seen_at: firstSeenAt.toISOString(), last_seen_at: lastSeenAt.toISOString(), sample };
}
