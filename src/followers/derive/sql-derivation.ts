import { readFileSync } from 'node:fs';
import { regions } from '../../base/model/index.ts';
import type { Derivation } from './derivation.ts';

/**
 * A derivation that is one SQL file of this folder: statements below `-- forget`, then statements below `-- derive`.
 * Values stand for `:region` and `:zone`, its time zone; `:from`, the first date; `:before` and `:last`, the instants
 * of the night before (or -infinity) and of the last night. `derived_night` has all certified nights until then;
 * `:instants` and `:dates` are arrays of theirs, in which `width_bucket` finds the first night that sees something.
 */
export function sqlDerivation(name: string): Derivation {
  const text = readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8');
  const [, forget, derive] = text.split(/^-- (?:forget|derive)$/m) as [string, string, string];
  const bound = (statements: string, values: Readonly<Record<string, string>>) =>
    statements.replace(/(?<!:):(region|zone|from|before|last|instants|dates)\b/g, (_, value: string) => values[value]!);
  return {
    forget: async (tx, region, from) =>
      void (await tx.query(bound(forget, { region: `'${region}'`, from: `date '${from}'` }))),
    derive: async (tx, { region, nights, before }) => {
      const [first, last] = [nights[0]!, nights.at(-1)!];
      const values = {
        region: `'${region}'`,
        zone: `'${regions[region].timeZone}'`,
        from: `date '${first.snapshotDate}'`,
        before: `timestamptz '${before?.observedAt.toISOString() ?? '-infinity'}'`,
        last: `timestamptz '${last.observedAt.toISOString()}'`,
        instants: '(select array_agg(observed_at order by night_no) from derived_night)',
        dates: '(select array_agg(snapshot_date order by night_no) from derived_night)',
      };
      await tx.query(bound(derive, values));
    },
  };
}
