import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { timeLimit } from '../../src/base/time-limit.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a time limit holds although garbage is collected meanwhile', async () => {
  const never = new EventTarget();
  const ended = once(never, 'event', { signal: timeLimit(100, new AbortController().signal) }).catch(
    ({ cause }: Error) => (cause as Error).name,
  );
  for (let times = 0; times < 3; times++) {
    await sleep(20);
    collectGarbage();
  }
  expect(await Promise.race([ended, sleep(5_000)])).toBe('TimeoutError');
});
