import { Command } from '../command.tsx';
import { Scroll } from '../scroll.tsx';
import type { Judged } from './night-queries.ts';

interface Todo {
  readonly why: string;
  readonly line: string;
}

interface Found {
  readonly hasFindings: boolean;
  readonly isQuarantined: boolean;
}

/** Commands that apply to a night, most urgent first. */
export function commandsFor(judged: Judged, { hasFindings, isQuarantined }: Found): Todo[] {
  const { run_id: run, region, snapshot_date: date, status, certificate, later_date, last_date, is_verified } = judged;
  const night = `--region ${region} --from ${date} --to ${date}`;
  // An older night can only be released by replaying it and all later nights.
  const release =
    last_date === null
      ? `pricebook certify --release ${run} --why "…"`
      : `pricebook replay --region ${region} --from ${date} --to ${last_date} --release ${run} --why "…" --apply`;
  const commands: Todo[] = [];
  if (status === 'held') {
    commands.push(
      {
        why: 'A check holds the night back. If its data are right, publish it and give a reason.',
        line: release,
      },
      { why: 'If its data are wrong, abandon the run.', line: `pricebook crawl --abandon ${run}` },
    );
  }
  if (status === 'published' && certificate === 'partial') {
    if (later_date === null) {
      commands.push({
        why: 'A partial night reports no product as gone. Until the day ends, the night can be crawled again.',
        line: `pricebook crawl --region ${region} --again`,
      });
    }
    commands.push({
      why: 'If it was complete after all, certify it and give a reason.',
      line: release,
    });
  }
  if (is_verified === false) {
    commands.push({
      why: 'The night no longer matches its certificate. Find out why.',
      line: 'pricebook doctor',
    });
  }
  if (isQuarantined) {
    commands.push(
      { why: 'Show quarantined elements of all nights.', line: `pricebook quarantine --region ${region}` },
      {
        why: 'After an update of Pricebook: show what a replay from the archive would change; --apply applies it.',
        line: `pricebook replay ${night}`,
      },
    );
  }
  if (hasFindings && status !== 'held') {
    commands.push({
      why: 'Show the certificate and its findings in a terminal.',
      line: `pricebook certify --run ${run}`,
    });
  }
  commands.push({
    why: 'Compare its payloads with those of earlier nights.',
    line: `pricebook drift ${night}`,
  });
  commands.push({
    why: 'Rebuild the night from history and compare it with its certificate.',
    line: `pricebook certify --region ${region} --date ${date} --verify`,
  });
  return commands;
}

/** Commands to copy, each with its purpose. */
export function Commands({ of }: { of: readonly Todo[] }) {
  return (
    <section>
      <h2>Commands for this night</h2>
      {of.map(({ why, line }) => (
        <div key={line}>
          <p>{why}</p>
          <Scroll label={line}>
            <pre>
              <Command line={line} />
            </pre>
          </Scroll>
        </div>
      ))}
    </section>
  );
}
