/** A physical shop, as the store locator shows it. */
export interface Store {
  readonly storeId: string;
  readonly name: string;
  readonly storeType: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly phone: string | null;
  readonly address1: string | null;
  readonly address2: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
  readonly isVirtual: boolean | null;
  readonly isCurbsideEnabled: boolean | null;
  /** IANA zone or whatever the upstream calls it. */
  readonly timeZone: string | null;
  readonly curbsideHours: readonly StoreHours[];
}

/** Curbside collection on one weekday, local 24-hour times (`08:00`); both null: closed or not readable. */
export interface StoreHours {
  /** ISO: 1 is Monday. */
  readonly weekday: number;
  readonly opens: string | null;
  readonly closes: string | null;
  readonly printed: string;
}
