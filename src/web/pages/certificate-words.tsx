import { unsnaked } from '../words.ts';

const marks: Readonly<Record<string, string>> = {
  complete: '✓ complete',
  complete_within_tolerance: '≈ complete within tolerance',
  partial: '! partial',
};

/** What a night's certificate says, by its mark and its words. */
export function certificateWords(status: string | null, certificate: string | null): string {
  if (status === 'missed') return '× missed: nothing ran';
  const verdict = certificate === null ? 'not judged' : (marks[certificate] ?? unsnaked(certificate));
  return status === 'published' || status === null ? verdict : `${verdict}, ${unsnaked(status)}`;
}
