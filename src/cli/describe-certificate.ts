import { describeCost } from '../crawl/ledger/run-cost.ts';
import type { Certificate } from '../crawl/status/certificates.ts';
import { plainText } from './output/plain-text.ts';
import { count } from './output/words.ts';

const most = 20;

/** Text of a certificate: verdict, reasons and findings. */
export function describeCertificate(certificate: Certificate): string {
  const { region, snapshotDate, runId, status, verdict, reasons, findings, contentHash } = certificate;
  const { isVerified, verifiedAt, releasedBecause } = certificate;
  const held = status === 'held' ? ', held back from publication' : '';
  const lines = [
    `${region} ${snapshotDate} (run ${runId}): ${verdict.replaceAll('_', ' ')}${held}`,
    ...reasons.slice(0, most).map((reason) => `  ${reason}`),
    ...(reasons.length > most ? [`  …and ${count(reasons.length - most)} more`] : []),
    ...(releasedBecause === null ? [] : [`  released by a person: ${releasedBecause}`]),
    ...findings.map(({ severity, message, samples }) => {
      const some = samples.length > 0 ? ` (${samples.slice(0, 3).join(', ')}${samples.length > 3 ? ' …' : ''})` : '';
      return `  ${severity === 'block' ? 'blocks' : 'warns'}: ${message}${some}`;
    }),
    ...(certificate.cost === null ? [] : [`  cost of its requests: ${describeCost(certificate.cost)}`]),
  ];
  if (contentHash !== null) lines.push(`  content ${contentHash}`);
  if (verifiedAt !== null) {
    lines.push(
      `  ${isVerified ? 'matched' : 'DID NOT MATCH'} its certificate on ${verifiedAt.toISOString().slice(0, 10)}`,
    );
  }
  return lines.map((line) => `${plainText(line)}\n`).join('');
}
