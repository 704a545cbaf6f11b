/** A physical shop, as the store locator shows it (specification, section 2.1). Empty texts are unknown: null. */
export interface Store {
  readonly storeId: string;
  readonly displayName: string;
  readonly storeType: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** As received: the specification says that it may be an address. */
  readonly email: string | null;
  readonly isBopisable: boolean | null;
  readonly isRopisable: boolean | null;
  readonly isCurbsideEnabled: boolean | null;
  readonly isConciergeCurbsideEnabled: boolean | null;
  readonly isNoShowFeeApplicable: boolean | null;
  readonly isOnlineReservationEnabled: boolean | null;
  readonly isVirtual: boolean | null;
  readonly reservationSystem: string | null;
  readonly reservationUrl: string | null;
  readonly address1: string | null;
  readonly address2: string | null;
  readonly city: string | null;
  readonly country: string | null;
  readonly crossStreet: string | null;
  readonly fax: string | null;
  readonly mallName: string | null;
  readonly phone: string | null;
  readonly postalCode: string | null;
  readonly state: string | null;
  /** A notice in words. */
  readonly closedDays: string | null;
  readonly textColor: string | null;
  /** Time zone of its hours, as received. */
  readonly timeZone: string | null;
  readonly curbsideHours: readonly StoreHours[];
}

/** A store in an answer of the locator: what it is, and how far from the point that was asked. */
export interface FoundStore {
  readonly store: Store;
  /** In a unit that the specification does not name. */
  readonly distance: number | null;
}

/** Curbside collection on one weekday, local 24-hour times (`08:00`); both null: closed or not readable. */
export interface StoreHours {
  /** ISO: 1 is Monday. */
  readonly weekday: number;
  readonly opens: string | null;
  /** At or before `opens`: on the next day. */
  readonly closes: string | null;
  readonly printed: string;
}
