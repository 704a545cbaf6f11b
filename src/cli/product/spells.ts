/** A night as it is numbered among the certified nights of its region: those without a gap follow one another. */
export interface NumberedNight {
  readonly snapshot_date: string;
  readonly no: number;
}

/** Nights in a row with equal values. */
export interface Spell {
  readonly first_night: string;
  readonly last_night: string;
  readonly nights: number;
}

/** Nights that follow one another with equal values become one spell; what of a night is compared is what `read` returns. */
export function spellsOf<Night extends NumberedNight, Value extends object>(
  nights: readonly Night[],
  read: (night: Night) => Value,
): (Spell & Value)[] {
  const spells: (Spell & Value)[] = [];
  let lastNo = Number.NaN;
  let lastKey = '';
  for (const night of nights) {
    const { snapshot_date, no } = night;
    const value = read(night);
    const key = JSON.stringify(value);
    const last = spells.at(-1);
    if (last && key === lastKey && no === lastNo + 1) {
      spells[spells.length - 1] = { ...last, last_night: snapshot_date, nights: last.nights + 1 };
    } else spells.push({ first_night: snapshot_date, last_night: snapshot_date, nights: 1, ...value });
    [lastNo, lastKey] = [no, key];
  }
  return spells;
}
