/** `info`: nothing to do; `warning`: check it; `breaking`: a field is no longer read, or read wrongly. */
export type Severity = 'info' | 'warning' | 'breaking';

type FindingKind = 'new_field' | 'lost_field' | 'type_changed' | 'jump' | 'unreadable' | 'reads_less';

/** A difference between an endpoint's payloads and those of earlier nights. */
export interface Finding {
  readonly kind: FindingKind;
  readonly severity: Severity;
  /** Path in the payload; for `reads_less`, in the parsed result. */
  readonly path: string;
  /** One sentence. */
  readonly said: string;
  /** For `lost_field` and `type_changed`: probable new path. */
  readonly movedTo?: string;
}

const order: readonly Severity[] = ['breaking', 'warning', 'info'];

/** Worst first, then by path. */
export function bySeverity(one: Finding, other: Finding): number {
  return order.indexOf(one.severity) - order.indexOf(other.severity) || (one.path < other.path ? -1 : 1);
}
