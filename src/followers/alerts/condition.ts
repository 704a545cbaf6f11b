/** Something that holds now and that a person should know of. */
export interface Condition {
  readonly kind: AlertKind;
  /** With its kind it names the alert: the same condition raises it once. */
  readonly subject: string;
  /** What happened and what it means, in one line. */
  readonly says: string;
  /** What to do, in one line. */
  readonly advice: string;
}

export type AlertKind =
  | 'night_partial'
  | 'night_held'
  | 'night_missed'
  | 'night_expired'
  | 'night_given_up'
  | 'quota_80'
  | 'quota_100'
  | 'key_refused'
  | 'drift'
  | 'no_worker'
  | 'no_room';
