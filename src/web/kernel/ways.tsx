import type { JSX } from 'preact';
import { searchOf } from './addresses.ts';
import type { Answers } from './page.ts';
import { Scroll, withCode } from './parts.tsx';
import type { Session } from './shown.ts';
import { capital } from './words.ts';

const formats = { '': 'JSON', '.csv': 'CSV', '.ndjson': 'NDJSON', '.atom': 'Atom feed' } as const;

/** The rows of the page's question in other formats, how to be told of new ones, and all statements of the page. */
export function Ways({ of, asked }: { of: Answers; asked: Session['asked'] }): JSX.Element {
  const { question, given } = of;
  const { name } = question;
  const path = `/api/v1/questions/${name}`;
  const options = Object.entries(given).map(([option, value]) => ` --${option.replaceAll('_', '-')} ${quoted(value)}`);
  return (
    <>
      <p class="ways">
        {Object.entries(formats).map(([ending, format]) => (
          <a key={ending} href={`${path}${ending}${searchOf(given)}`}>
            {format}
          </a>
        ))}
      </p>
      <details class="tell">
        <summary>Tell me when…</summary>
        <p>
          A feed reader shows new rows of <a href={`${path}.atom${searchOf(given)}`}>this feed</a>. To get them as
          messages, run {withCode(`\`pricebook watch add my-${name} ${name}${options.join('')}\``)}.
        </p>
      </details>
      <details class="behind">
        <summary>The SQL of this page</summary>
        <p>Each statement runs unchanged in any client, also as the role bi_reader.</p>
        {[...asked].map(([statement, { caption }], i) => (
          <details key={i}>
            <summary>{capital(caption)}</summary>
            <Scroll label={`SQL ${i + 1}: ${caption}`}>
              <pre>{statement}</pre>
            </Scroll>
          </details>
        ))}
      </details>
    </>
  );
}

/** A word as a shell takes it. */
const quoted = (value: string) => (/^[\w.:,@/-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`);
