import type pg from 'pg';

/**
 * Lets a connection break between two statements: whoever asks next is told. Without a listener it would end the
 * process, and a pool's own is not there while a connection that was just made is handed over.
 */
export function surviveBreaking(connection: pg.ClientBase): void {
  connection.on('error', () => undefined);
}
