import type { NewPlace } from './moved-fields.ts';

/** `info`: nothing to do; `warning`: look at it; `breaking`: something is read no more, or wrongly. */
export type Severity = 'info' | 'warning' | 'breaking';

type FindingKind = 'new_field' | 'lost_field' | 'type_changed' | 'jump' | 'unreadable' | 'reads_less';

/** One way in which the payloads of an endpoint differ from those of earlier nights. */
export interface Finding {
  readonly kind: FindingKind;
  readonly severity: Severity;
  /** In the payload; of `reads_less`, in what is read of it. */
  readonly path: string;
  /** In a sentence. */
  readonly said: string;
  /** Of `lost_field` and `type_changed`: where the field seems to be now. */
  readonly movedTo?: NewPlace;
}

const order: readonly Severity[] = ['breaking', 'warning', 'info'];

/** Worst first, then by path. */
export function bySeverity(one: Finding, other: Finding): number {
  return order.indexOf(one.severity) - order.indexOf(other.severity) || (one.path < other.path ? -1 : 1);
}
