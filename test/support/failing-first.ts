import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Failure {
  readonly status: number;
  /** Seconds, or seconds from then as an HTTP date. */
  readonly retryAfter?: number;
  readonly asDate?: boolean;
}

interface FailingFirst {
  readonly url: string;
  /** Requests that arrived before their requested wait was over. */
  tooEarly(): number;
  close(): void;
}

/** Answers the first requests with these failures and hands on the others to the upstream at `url`. */
export async function failingFirst(url: string, failures: readonly Failure[]): Promise<FailingFirst> {
  let asked = 0;
  let tooEarly = 0;
  let notBeforeMs = 0;
  const server = createServer(async (request, response) => {
    if (Date.now() < notBeforeMs) tooEarly += 1;
    const failure = failures[asked];
    asked += 1;
    if (failure) {
      const { status, retryAfter = 0, asDate = false } = failure;
      // A date has whole seconds.
      const untilMs = Math.floor((Date.now() + retryAfter * 1_000) / 1_000) * 1_000;
      if (retryAfter > 0) response.setHeader('retry-after', asDate ? new Date(untilMs).toUTCString() : `${retryAfter}`);
      notBeforeMs = asDate ? untilMs - 1_000 : Date.now() + retryAfter * 1_000;
      response.writeHead(status).end('unavailable');
      return;
    }
    const { host: _, connection: __, ...headers } = request.headers;
    const answer = await fetch(url + request.url, { headers: headers as Record<string, string> });
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tooEarly: () => tooEarly,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
