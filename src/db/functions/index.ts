/** The files of this folder in the order of application: a function comes after those it calls. */
export const functionFiles: readonly string[] = [
  'describe.sql',
  'clock-ms.sql',
  'month-start.sql',
  'settle.sql',
  'reserve.sql',
  'index-products.sql',
  'rights.sql',
];
