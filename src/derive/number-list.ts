/** Reads "1,-2,3": a column of whole numbers as one text, which is by far the quickest way to get it out of PostgreSQL. */
export function readNumbers(list: string | null): Int32Array {
  if (list === null || list === '') return new Int32Array(0);
  let count = 1;
  for (let i = 0; i < list.length; i++) if (list.charCodeAt(i) === comma) count++;
  const numbers = new Int32Array(count);
  let [n, value, sign] = [0, 0, 1];
  for (let i = 0; i < list.length; i++) {
    const code = list.charCodeAt(i);
    if (code === comma) {
      numbers[n++] = sign * value;
      [value, sign] = [0, 1];
    } else if (code === minus) sign = -1;
    else value = value * 10 + (code - zero);
  }
  numbers[n] = sign * value;
  return numbers;
}

const [comma, minus, zero] = [44, 45, 48];
