import pg from 'pg';

/** Drops everything of a PostgreSQL queue, even while workers use it. */
export async function dropQueue(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // A worker may hold a lock that we need and need one that we hold.
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const isDropped = await client.query('drop schema if exists bullmq cascade').then(
        () => true,
        (error) => {
          if (error.code !== '40P01') throw error;
          return false;
        },
      );
      if (isDropped) return;
    }
  } finally {
    await client.end();
  }
}
