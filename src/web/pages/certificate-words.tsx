import { Fragment } from 'preact';
import { Card } from '../parts.tsx';
import { unsnaked } from '../words.ts';

const missedWords = '× missed: nothing ran';

const marks: Readonly<Record<string, string>> = {
  complete: '✓ complete',
  complete_within_tolerance: '≈ complete within tolerance',
  partial: '! partial',
};

const meanings = {
  complete: 'All pages were read, and everything that the shop declared was received.',
  complete_within_tolerance:
    'A few products are missing, by default at most 0.1%. Categories that fell short report no product as gone.',
  partial: 'Something is missing. What was read is kept, but no product counts as gone, and charts leave a gap.',
} as const;

/** What a certificate means, as a sentence; '' if there is none. */
export const meaningOf = (certificate: string | null): string =>
  certificate !== null && Object.hasOwn(meanings, certificate) ? meanings[certificate as keyof typeof meanings] : '';

/** What all certificates mean. */
export function CertificateMeanings() {
  return (
    <Card title="What the marks mean">
      <dl class="facts">
        {Object.entries(meanings).map(([certificate, meaning]) => (
          <Fragment key={certificate}>
            <dt>{marks[certificate]}</dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
        <dt>{missedWords}</dt>
        <dd>The program did not run, or no page was read. Nothing is known about that night.</dd>
      </dl>
    </Card>
  );
}

/** Mark and words of a night's certificate and state. */
export function certificateWords(status: string | null, certificate: string | null): string {
  if (status === 'missed') return missedWords;
  const verdict = certificate === null ? 'not judged' : (marks[certificate] ?? unsnaked(certificate));
  return status === 'published' || status === null ? verdict : `${verdict}, ${unsnaked(status)}`;
}
