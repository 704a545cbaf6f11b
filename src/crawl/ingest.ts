import { setImmediate } from 'node:timers/promises';
import { ContractBroken } from '../base/errors.ts';
import type { ExtraField, Payload, Reading } from '../base/model/index.ts';
import type { Answer } from '../gateway/gateway.ts';
import type { Endpoint } from '../source/endpoints/define-endpoint.ts';
import { addExtraFields } from '../source/endpoints/extra-fields.ts';
import type { Archive } from './archive/archive.ts';

interface IngestNeeds {
  readonly archive: Pick<Archive, 'put'>;
  /** Fields of EXTRA_FIELDS. */
  readonly extraFields: readonly ExtraField[];
  /** Quarantines a payload whose envelope breaks the contract, as a whole. */
  onBroken(
    endpoint: Endpoint<never, unknown>,
    payload: Payload,
    runId: number | null,
    broken: ContractBroken,
  ): Promise<void>;
}

/** The parameters of a request and its answer. */
export interface Answered<Params> {
  readonly params: Params;
  readonly answer: Answer;
}

/**
 * Archives and parses a group of payloads, live or replayed. Nothing is parsed before the group is archived, so a
 * parser error loses nothing. Each result is a reading or an error: `ContractBroken` if the envelope is unknown.
 */
export type Ingest = <Params, Records>(
  endpoint: Endpoint<Params, Records>,
  answered: readonly Answered<Params>[],
  runId: number | null,
) => Promise<(Reading<Records> | Error)[]>;

export function createIngest({ archive, extraFields, onBroken }: IngestNeeds): Ingest {
  return async (endpoint, answered, runId) => {
    const payloads = answered.map(({ answer }) => answer.payload);
    await archive.put(payloads, runId);
    const readings = await readAll(endpoint, answered, extraFields);
    for (const [i, reading] of readings.entries()) {
      if (reading instanceof ContractBroken) await onBroken(endpoint, answered[i]!.answer.payload, runId, reading);
    }
    return readings;
  };
}

async function readAll<Params, Records>(
  endpoint: Endpoint<Params, Records>,
  answered: readonly Answered<Params>[],
  extraFields: readonly ExtraField[],
): Promise<(Reading<Records> | Error)[]> {
  const readings: (Reading<Records> | Error)[] = [];
  for (const { params, answer } of answered) {
    try {
      const { records, rejected } = endpoint.read(answer.body, params);
      addExtraFields(records, answer.body, extraFields);
      readings.push({ records, rejected: [...rejected, ...(answer.nulled ?? [])] });
    } catch (error) {
      readings.push(error instanceof Error ? error : new Error(String(error)));
    }
    // Yields to the event loop between two pages.
    await setImmediate();
  }
  return readings;
}

/** Ingests one answer. Throws if it cannot be parsed. */
export async function ingestOne<Params, Records>(
  ingest: Ingest,
  endpoint: Endpoint<Params, Records>,
  answered: Answered<Params>,
  runId: number | null,
): Promise<Reading<Records>> {
  const [reading] = await ingest(endpoint, [answered], runId);
  if (reading instanceof Error) throw reading;
  return reading!;
}
