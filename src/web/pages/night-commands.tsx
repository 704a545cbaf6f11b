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

/** What a person can do about a night, most urgent first. */
export function commandsFor(judged: Judged, { hasFindings, isQuarantined }: Found): Todo[] {
  const { run_id: run, region, snapshot_date: date, status, certificate, later_date, last_date, is_verified } = judged;
  const night = `--region ${region} --from ${date} --to ${date}`;
  // An older night comes in by a replay of it and of all nights since.
  const release =
    last_date === null
      ? `pricebook certify --release ${run} --why "…"`
      : `pricebook replay --region ${region} --from ${date} --to ${last_date} --release ${run} --why "…" --apply`;
  const commands: Todo[] = [];
  if (status === 'held') {
    commands.push(
      {
        why: 'A finding holds it back. It is right all the same: publish it, with the reason.',
        line: release,
      },
      { why: 'It is wrong: give it up.', line: `pricebook crawl --abandon ${run}` },
    );
  }
  if (status === 'published' && certificate === 'partial') {
    if (later_date === null) {
      commands.push({
        why: 'Nothing is said to be gone that night. While it lasts it can be crawled again.',
        line: `pricebook crawl --region ${region} --again`,
      });
    }
    commands.push({
      why: 'It saw everything after all: certify it, with the reason.',
      line: release,
    });
  }
  if (is_verified === false) {
    commands.push({
      why: 'The night no longer reads as it was certified: see what is wrong.',
      line: 'pricebook doctor',
    });
  }
  if (isQuarantined) {
    commands.push(
      { why: 'What could not be understood, over all nights.', line: `pricebook quarantine --region ${region}` },
      {
        why: 'After a newer version reads it: what a replay from the archive would change; --apply does it.',
        line: `pricebook replay ${night}`,
      },
    );
  }
  if (hasFindings && status !== 'held') {
    commands.push({ why: 'The findings with the certificate, in a terminal.', line: `pricebook certify --run ${run}` });
  }
  commands.push({
    why: 'See how its payloads differ from those of the nights before.',
    line: `pricebook drift ${night}`,
  });
  commands.push({
    why: 'Rebuild the night from history and hold it against its certificate.',
    line: `pricebook certify --region ${region} --date ${date} --verify`,
  });
  return commands;
}

/** Commands to copy, each with what it is for. */
export function Commands({ of }: { of: readonly Todo[] }) {
  return (
    <section>
      <h2>What can be done</h2>
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
