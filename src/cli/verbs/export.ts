import { resolve } from 'node:path';
import { Option } from 'commander';
import { compose, composeExporter, isBucketUrl } from '../../app/compose.ts';
import { ExportRefused, UsageInvalid } from '../../base/errors.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { type ExportedNight, type ExportFormat, exportFormats } from '../../followers/export/exported-night.ts';
import { isCertified, type Night, readNights } from '../../followers/export/nights.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { readDate, readRegion } from '../option-values.ts';
import { count } from '../output/words.ts';

interface Options {
  readonly region: RegionCode;
  readonly from: string;
  readonly to: string;
  readonly out: string;
  readonly format: ExportFormat;
  readonly includePartial?: boolean;
  readonly json?: boolean;
}

export const exportNights = defineVerb<Options>({
  declare(command) {
    command
      .requiredOption('--region <region>', 'uk or ie', readRegion)
      .requiredOption('--from <date>', 'YYYY-MM-DD; the first night', readDate)
      .requiredOption('--to <date>', 'YYYY-MM-DD; the last night', readDate)
      .requiredOption('--out <place>', 'folder, or s3://bucket/prefix with the EXPORT_ variables')
      .addOption(new Option('--format <format>', 'format of the files').choices(exportFormats).default('parquet'))
      .option('--include-partial', 'also export partial nights (default: left out, with exit code 3)')
      .option('--json', 'print JSON');
  },

  async run(options, { config, clock, log, console, signal }) {
    const { region, from, to, out, format, includePartial = false, json } = options;
    if (out.trim() === '')
      throw new UsageInvalid('--out is empty: name a folder or s3://bucket/prefix. Nothing was exported.');
    if (from > to) throw new UsageInvalid(`--from ${from} is after --to ${to}.`);
    return using(compose(config, { clock, log, name: 'export' }), async (base) => {
      const nights = (await readNights(base.db, { region, from, to })).reverse();
      if (nights.length === 0) {
        throw new ExportRefused(
          `There is no night of ${region} from ${from} to ${to}. Nothing was exported. ` +
            '`pricebook runs` lists all nights.',
        );
      }
      const chosen = nights.filter((night) => includePartial || isCertified(night));
      const left = nights.filter((night) => !chosen.includes(night));
      for (const night of left) console.say(leftOut(night));
      const exporter = composeExporter(base, isBucketUrl(out) ? out : resolve(out))!;
      const exported: ExportedNight[] = [];
      for (const night of chosen) {
        signal.throwIfAborted();
        console.redraw([`exporting ${region} ${night.snapshotDate} (${exported.length + 1} of ${chosen.length})`]);
        const onWait = () => console.say('Another export is running; waiting for it.');
        const done = await exporter.export(night, { format, includePartial, signal, onWait });
        if (done) {
          exported.push(done);
        } else {
          left.push(night);
          console.say(
            `${region} ${night.snapshotDate} was replayed meanwhile, is no longer certified and is left out.`,
          );
        }
      }
      console.redraw([]);
      const head = { version: 1, out: exporter.destination, format };
      if (json) {
        const leftOut = left.map(({ snapshotDate }) => snapshotDate);
        await console.data(`${JSON.stringify({ ...head, nights: exported, left_out: leftOut })}\n`);
      } else {
        await console.data(exported.map(lineOf).join(''));
        console.say(
          `${count(exported.length)} ${exported.length === 1 ? 'night' : 'nights'} exported to ${exporter.destination}`,
        );
      }
      return left.length > 0 ? 3 : undefined;
    });
  },
});

const leftOut = ({ region, snapshotDate }: Night): string =>
  `${region} ${snapshotDate} has a partial certificate and is left out; --include-partial exports it.`;

function lineOf({ region, snapshot_date: date, certificate, files }: ExportedNight): string {
  const rows = files.map((file) => `${count(file.rows)} ${file.dataset.replace('_', ' ')}`).join(', ');
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${region} ${date} (${certificate}): ${rows}; ${count(bytes)} bytes\n`;
}
