import type { z } from 'zod';
import { ContractBroken } from '../../base/errors.ts';
import type { Rejection } from '../../base/model/index.ts';
import { describeIssue } from './envelope.ts';

/**
 * Elements of a page at most. Pages have 24 to 50; thousands are no page, and each bad one would be a row in
 * quarantine.
 */
export const mostElements = 1_000;

/** The list, unless it is longer than any page. Throws `ContractBroken`. */
export function readPageList(endpoint: string, list: readonly unknown[], path: string): readonly unknown[] {
  if (list.length > mostElements) {
    throw new ContractBroken(endpoint, [`${path}: ${list.length} elements, where a page has at most ${mostElements}`]);
  }
  return list;
}

/** Reports a field of an element that cannot be read: the element is kept without it. */
export type ReportField = (field: string, reason: string, value: unknown) => void;

/** Puts fields of the element at `path` among the rejections, each under its own path: `data.products[3].price`. */
export function reportFields(path: string, rejected: Rejection[]): ReportField {
  return (field, reason, value) =>
    rejected.push({ path: `${path}.${field}`, reason: `${field}: ${reason}`, value: value ?? null, isPart: true });
}

/**
 * The elements of a list that keep to the contract, each at its own position (null where one was rejected), and the
 * others as rejections under `path`. The whole list is tried at once, which is several times faster; one by one only
 * when that fails.
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
