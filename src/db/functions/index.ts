/** The files of this folder in the order they are applied: a function comes after those it calls. */
export const functionFiles: readonly string[] = [
  'clock-ms.sql',
  'month-turn.sql',
  'is-counted.sql',
  'counted-windows.sql',
  'reserve-requests.sql',
  'give-back-requests.sql',
  'rights.sql',
];
