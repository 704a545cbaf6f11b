import type pg from 'pg';

/**
 * Ignores a connection that breaks between two statements; the next statement reports it. Without a listener the error
 * would end the process, and the pool's own listener is missing while a new connection is handed over.
 */
export function surviveBreaking(connection: pg.ClientBase): void {
  connection.on('error', () => undefined);
}
