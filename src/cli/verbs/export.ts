import { resolve } from 'node:path';
import { Option } from 'commander';
import { composeExporter } from '../../app/compose.ts';
import { isUrl } from '../../app/config/variable-types.ts';
import { ExportRefused, UsageInvalid } from '../../base/errors.ts';
import { count, plural } from '../../base/format.ts';
import type { ExportedNight, ExportFormat, Night } from '../../followers/export/nights.ts';
import { exportFormats, isCertified, readNights } from '../../followers/export/nights.ts';
import type { TypedOption } from '../define-verb.ts';
import { flag, readDate, readRegion, refuseReversed, required } from '../option-values.ts';
import { readVerb } from '../read-verb.ts';

export const verb = readVerb({
  options: {
    region: required('--region <region>', 'uk or ie (required)', readRegion),
    from: required('--from <date>', 'YYYY-MM-DD; the first night', readDate),
    to: required('--to <date>', 'YYYY-MM-DD; the last night', readDate),
    out: required('--out <place>', 'folder, or s3://bucket/prefix with the AWS_ variables', String),
    format: new Option('--format <format>', 'format of the files')
      .choices(exportFormats)
      .default('parquet') as TypedOption<ExportFormat>,
    includePartial: flag('--include-partial', 'also export partial nights (default: left out, with exit code 3)'),
  },

  check({ from, to, out }) {
    if (out.trim() === '')
      throw new UsageInvalid('--out is empty: name a folder or s3://bucket/prefix. Nothing was exported.');
    refuseReversed(from, to);
  },

  async read({ region, from, to, out, format, includePartial = false }, base, { console, signal }) {
    const nights = (await readNights(base.db, { region, from, to })).reverse();
    if (nights.length === 0)
      throw new ExportRefused(
        `There is no night of ${region} from ${from} to ${to}. Nothing was exported. ` +
          '`pricebook nights` lists all nights.',
      );
    const chosen = nights.filter((night) => includePartial || isCertified(night));
    const left = nights.filter((night) => !chosen.includes(night));
    const exporter = composeExporter(base, isUrl(out) ? out : resolve(out))!;
    const exported: ExportedNight[] = [];
    for (const night of chosen) {
      signal.throwIfAborted();
      console.redraw([`exporting ${region} ${night.snapshotDate} (${exported.length + 1} of ${chosen.length})`]);
      const onWait = () => console.say('Another export is running; waiting for it.');
      const done = await exporter.export(night, { format, includePartial, signal, onWait });
      if (done) exported.push(done);
      // It was replayed meanwhile and is no longer certified.
      else left.push(night);
    }
    console.redraw([]);
    for (const night of left) console.say(leftOut(night));
    const { destination } = exporter;
    const dates = left.map(({ snapshotDate }) => snapshotDate);
    return {
      json: { version: 1, out: destination, format, nights: exported, leftOut: dates },
      text: exported.map(lineOf).join(''),
      notes: [`${plural(exported.length, 'night')} exported to ${destination}`],
      code: left.length > 0 ? 3 : 0,
    };
  },
});

const leftOut = ({ region, snapshotDate }: Night): string =>
  `${region} ${snapshotDate} has a partial certificate and is left out; --include-partial exports it.`;

function lineOf({ region, snapshot_date: date, certificate, files }: ExportedNight): string {
  const rows = files.map((file) => plural(file.rows, file.dataset.replace('_', ' ').replace(/s$/, ''))).join(', ');
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${region} ${date} (${certificate}): ${rows}; ${count(bytes)} bytes\n`;
}
