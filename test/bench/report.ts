import { type Measured, verdictOn } from './figure.ts';

const words = { aim: 'reaches the aim', floor: 'above the floor', missed: 'MISSED', '': '' } as const;

/** The table of all figures. */
export function report(measured: readonly Measured[]): string {
  const rows = measured.map((one) => {
    const { what, value, unit, target, from } = one;
    const limit = (number: number) => `${target?.is === 'at least' ? '>=' : '<='} ${number}`;
    return [
      what,
      `${value.toFixed(value >= 100 ? 0 : 2)} ${unit}`.trim(),
      target ? limit(target.aim) : '',
      target ? limit(target.floor) : '',
      words[verdictOn(one)],
      from,
    ];
  });
  const head = ['figure', 'measured', 'aim', 'floor', 'verdict', 'from'];
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
