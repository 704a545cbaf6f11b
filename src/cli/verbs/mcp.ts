import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServers } from '../../web/api/mcp.ts';
import { openReader } from '../../web/reader.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { untilInterrupted } from '../interruption.ts';
import { withBase } from '../with-base.ts';

export const verb = defineVerb({
  run(_options, invocation) {
    const { log, signal } = invocation;
    const onTrouble = (error: unknown) => log.error({ err: error }, 'a question of the assistant failed');
    const onOwnRights = (reason: string) =>
      log.warn({ reason }, 'the assistant reads with the rights of DATABASE_URL, which may not switch to bi_reader');
    return withBase(invocation, ({ databaseUrl }) =>
      using(openReader({ databaseUrl, onOwnRights }), async (reader) => {
        // The assistant ends the connection by closing the standard input.
        const ended = once(process.stdin, 'end');
        const served = serveStdio(createMcpServers({ reader, onTrouble }), { onerror: onTrouble });
        await Promise.race([ended, untilInterrupted(signal)]);
        await served.close();
      }),
    );
  },
});
