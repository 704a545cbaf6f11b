import { unsnaked } from '../words.ts';

const marks: Readonly<Record<string, string>> = {
  complete: '✓ complete',
  complete_within_tolerance: '≈ complete within tolerance',
  partial: '! partial',
};

/** Mark and words of a night's certificate and state. */
export function certificateWords(status: string | null, certificate: string | null): string {
  if (status === 'missed') return '× missed: nothing ran';
  const verdict = certificate === null ? 'not judged' : (marks[certificate] ?? unsnaked(certificate));
  return status === 'published' || status === null ? verdict : `${verdict}, ${unsnaked(status)}`;
}
