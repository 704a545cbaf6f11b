import { z } from 'zod';
import { ContractBroken, RequestFailed } from '../../base/errors.ts';
import { oneLine } from '../normalise/text.ts';

/** Schema of a success envelope, `{success: true, data: {…}}`, with the given schema of `data`. */
export function enveloped<Data extends z.ZodType>(data: Data) {
  return z.object({ success: z.literal(true), data });
}

/** Parses a body by its contract. Throws `ContractBroken` with all deviations and their paths. */
export function readContract<Contract extends z.ZodType>(
  endpoint: string,
  contract: Contract,
  body: unknown,
): z.output<Contract> {
  const outcome = contract.safeParse(body);
  if (outcome.success) return outcome.data;
  throw new ContractBroken(endpoint, outcome.error.issues.map(describeIssue));
}

/**
 * `data.pageNo: Invalid input: expected number, received string`, without positions and values, so that equal faults
 * can be grouped.
 */
export function describeIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path
    .map((step) => (typeof step === 'number' ? '[]' : String(step)))
    .join('.')
    .replaceAll('.[]', '[]');
  const what = /received undefined$/.test(issue.message) ? 'missing' : issue.message;
  return where === '' ? what : `${where}: ${what}`;
}

/**
 * Data of a response of the supermarket's own interface, wrapped in a success: `[{data, errors?, status?}]`. Throws
 * `RequestFailed` if it contains errors instead of data, unless its status is 404.
 */
export function readBatch(endpoint: string, results: unknown): unknown {
  const answer = Array.isArray(results) ? results[0] : results;
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { data, errors, status } = answer as { data?: unknown; errors?: unknown; status?: unknown };
  if (hasErrors(errors) && !holdsSomething(data) && status !== 404) {
    const message = (errors[0] as { message?: unknown } | null)?.message;
    throw new RequestFailed('unavailable', {
      where: endpoint,
      what: `it answers with "${oneLine(String(message ?? 'errors').slice(0, 200)) ?? ''}" inside a success`,
      status: typeof status === 'number' ? status : null,
    });
  }
  return data;
}

function hasErrors(errors: unknown): errors is readonly unknown[] {
  return Array.isArray(errors) && errors.length > 0;
}

function holdsSomething(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.values(data).some((value) => value !== null);
}
