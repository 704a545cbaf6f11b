/**
 * The width of a line that `COLUMNS` asks for; null: as wide as the terminal. Apart from the rest, for it is asked
 * before anything is loaded.
 */
export function columnsIn(env: Readonly<Record<string, string | undefined>> = process.env): number | null {
  const columns = Number(env['COLUMNS']);
  return Number.isInteger(columns) && columns > 0 ? columns : null;
}
