/** At most one read at a time. All who ask while one is running share the next, which begins after they asked. */
export function sharedRead<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Answer> | null = null;
  const begin = (): Promise<Answer> => {
    next = null;
    const answer = read();
    running = answer;
    return answer;
  };
  return () => {
    next ??= running.then(begin, begin);
    return next;
  };
}
