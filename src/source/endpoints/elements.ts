import type { z } from 'zod';
import { ContractBroken } from '../../base/errors.ts';
import type { Rejection } from '../../base/model/index.ts';
import { describeIssue } from './envelope.ts';

/**
 * Maximum number of elements on a page. Real pages have 24 to 50; a limit protects the quarantine from thousands of bad
 * elements.
 */
export const maxElements = 1_000;

/** Returns the list unless it is longer than any page. Throws `ContractBroken`. */
export function readPageList(endpoint: string, list: readonly unknown[], path: string): readonly unknown[] {
  if (list.length > maxElements) {
    throw new ContractBroken(endpoint, [`${path}: ${list.length} elements, where a page has at most ${maxElements}`]);
  }
  return list;
}

/** Reports an unreadable field of an element; the element is kept without it. */
export type ReportField = (field: string, reason: string, value: unknown) => void;

/**
 * Adds unreadable fields of the element at `path` to the rejections, each with its own path: `data.products[3].price`.
 */
export function reportFields(path: string, rejected: Rejection[]): ReportField {
  return (field, reason, value) =>
    rejected.push({ path: `${path}.${field}`, reason: `${field}: ${reason}`, value: value ?? null, isPart: true });
}

/**
 * Parses a list by its contract: valid elements at their positions, null for rejected ones, and rejections below
 * `path`. Elements that `isValid` recognises are kept as they are, because zod would copy each of them.
 */
export function readElements<Contract extends z.ZodType>(
  contract: Contract,
  list: readonly unknown[],
  path: string,
  rejected: Rejection[],
  isValid?: (value: unknown) => value is z.output<Contract>,
): readonly (z.output<Contract> | null)[] {
  return list.map((value, index) => {
    if (isValid?.(value)) return value;
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
