const megabyte = 1024 * 1024;

/**
 * Server settings for bulk writes at night and analytical reads by day on a small machine of `memoryBytes`. Durability
 * stays at PostgreSQL's defaults: fsync, full_page_writes and synchronous_commit are on.
 */
export function serverSettings(memoryBytes: number): Record<string, string> {
  const share = (divisor: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max(memoryBytes / divisor / megabyte, least), most))}MB`;

  return {
    // Loopback with a password: local tools can connect, other machines cannot.
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Keeps parameter values of statements out of the server log.
    log_parameter_max_length: '0',

    shared_buffers: share(16, 128, 512),
    effective_cache_size: share(2, 512, 8192),
    work_mem: '16MB',
    // With the usual 8 MB, temporary tables of a publication would be written to files and read again.
    temp_buffers: '32MB',
    maintenance_work_mem: '128MB',
    random_page_cost: '1.1',

    // No replicas, so COPY into a table created or truncated in the same transaction needs no WAL.
    wal_level: 'minimal',
    max_wal_senders: '0',
    // So do indexes: their files are synced instead.
    wal_skip_threshold: '64kB',
    min_wal_size: '256MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',

    // Analytical statements are short; compiling them costs more than it saves.
    jit: 'off',
    autovacuum_naptime: '20s',
    autovacuum_vacuum_insert_scale_factor: '0.1',

    // Ends statements of killed commands soon.
    client_connection_check_interval: '2s',

    TimeZone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] %a ',
    log_checkpoints: 'off',
  };
}
