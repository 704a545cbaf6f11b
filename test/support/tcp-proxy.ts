import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** `pass`: transparent. `refuse`: new connections are reset. `hole`: connections are accepted but no data pass. */
export type LinkMode = 'pass' | 'refuse' | 'hole' | { readonly delayMs: number };

/** A stretch of network between a client and a server of this machine, to do harm to. */
export interface TcpProxy {
  readonly port: number;
  /** From now on, for connections that are open, too; what fell into a hole is lost. */
  set(mode: LinkMode): void;
  /** Resets every open connection, both ways. */
  cut(): void;
  close(): Promise<void>;
}

/** `port`: where clients connect; 0: any free one. */
export async function createTcpProxy(
  target: { readonly host: string; readonly port: number },
  port = 0,
): Promise<TcpProxy> {
  let mode: LinkMode = 'pass';
  const pairs = new Set<readonly [Socket, Socket]>();

  const server = createServer((client) => {
    if (mode === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target.port, target.host);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    forward(client, upstream);
    forward(upstream, client);
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        pairs.delete(pair);
        for (const end of pair) end.destroy();
      });
    }
  });

  function forward(from: Socket, to: Socket): void {
    // Nothing overtakes what is still in transit, not even when the delay is over.
    let inTransit = 0;
    let previous: Promise<unknown> = Promise.resolve();
    const deliver = (give: () => void) => {
      if (typeof mode === 'string' && inTransit === 0) return give();
      inTransit += 1;
      const after = typeof mode === 'string' ? previous : Promise.all([previous, sleep(mode.delayMs)]);
      previous = after.then(() => {
        inTransit -= 1;
        give();
      });
    };
    from.on('data', (chunk) => {
      if (mode !== 'hole' && mode !== 'refuse') deliver(() => to.write(chunk));
    });
    from.on('end', () => deliver(() => to.end()));
  }

  function cut(): void {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      mode = next;
    },
    cut,
    async close() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
