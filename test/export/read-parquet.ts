import { readFileSync } from 'node:fs';
import { decompress } from 'fzstd';
import { parquetReadObjects } from 'hyparquet';

/** Rows of a Parquet file, read by another library than the one that wrote it. Decimals come as the nearest numbers. */
export async function readParquet(path: string): Promise<Record<string, unknown>[]> {
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const rows = await parquetReadObjects({
    file,
    compressors: { ZSTD: (input, length) => decompress(input, new Uint8Array(length)) },
  });
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, nearest(value)])));
}

/** The library multiplies by 0.01. */
function nearest(value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(14)) : value;
}
