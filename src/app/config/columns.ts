/**
 * Line width from `COLUMNS`; null: width of the terminal. Separate, because it is needed before the configuration is
 * loaded.
 */
export function columnsIn(env: Readonly<Record<string, string | undefined>> = process.env): number | null {
  const columns = Number(env['COLUMNS']);
  return Number.isInteger(columns) && columns > 0 ? columns : null;
}
