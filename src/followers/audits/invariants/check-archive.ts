import type { Archive } from '../../../crawl/archive/archive.ts';
import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';

/** Reads `sample` archived payloads, chosen at random. Returns one line for each that is unreadable or damaged. */
export async function checkArchive(
  sql: Queryable,
  archive: Archive,
  sample: number,
): Promise<{ checked: number; damaged: string[] }> {
  const bodies = await rowsOf<{ sha256: string }>(
    sql,
    `select encode(sha256, 'hex') as sha256 from ops.payload_body order by random() limit $1`,
    [sample],
  );
  const damaged: string[] = [];
  for (const { sha256 } of bodies) {
    // `get` verifies the hash.
    await archive
      .get(sha256)
      .catch((error: Error) => damaged.push(`payload ${sha256.slice(0, 12)}…: ${error.message}`));
  }
  return { checked: bodies.length, damaged };
}
