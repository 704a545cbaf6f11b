import type { z } from 'zod';
import type { Rejection } from '../model/index.ts';
import { describeIssue } from './envelope.ts';

/**
 * The elements of a list that keep to the contract, each at its own position (null where one was rejected), and the others as
 * rejections under `path`. The whole list is tried at once, which is several times faster; one by one only when that fails.
 */
export function readElements<Contract extends z.ZodType>(
  contract: Contract,
  contracts: z.ZodArray<Contract>,
  list: readonly unknown[],
  path: string,
  rejected: Rejection[],
): readonly (z.output<Contract> | null)[] {
  const whole = contracts.safeParse(list);
  if (whole.success) return whole.data;
  return list.map((value, index) => {
    const outcome = contract.safeParse(value);
    if (outcome.success) return outcome.data;
    const issue = outcome.error.issues[0];
    rejected.push({
      path: `${path}[${index}]`,
      reason: issue === undefined ? 'unreadable' : describeIssue(issue),
      value,
    });
    return null;
  });
}
