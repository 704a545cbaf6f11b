/** A condition that holds now and needs attention. */
export interface Condition {
  readonly kind: AlertKind;
  /** Identifies the alert together with its kind: the same condition raises one alert. */
  readonly subject: string;
  /** What happened and what it means, on one line. */
  readonly says: string;
  /** What to do, on one line. */
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
  | 'leave_host'
  | 'drift'
  | 'no_worker'
  | 'no_room';
