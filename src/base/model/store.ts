/** A shop of the store locator (specification, section 2.1). Empty texts become null. */
export interface Store {
  readonly storeId: string;
  readonly displayName: string;
  readonly storeType: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** As received; may be a postal address according to the specification. */
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
  /** Notice as text. */
  readonly closedDays: string | null;
  readonly textColor: string | null;
  /** Time zone of the opening hours, as received. */
  readonly timeZone: string | null;
  /** As printed, by weekday. */
  readonly curbsideHours: string | null;
}
