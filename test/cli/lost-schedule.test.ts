import { expect, test } from 'vitest';
import { describeOnEachQueue } from '../support/queue-backends.ts';
import { useCliHome } from './pricebook.ts';

describeOnEachQueue('start', (book) => {
  const { start } = useCliHome({ book });

  test('start restores its schedule if the queue has lost it', { timeout: 180_000 }, async () => {
    const running = start(['start', '--nights', '0', '--items', '60', '--max-details', '0'], { PORT: '0' });
    const [, url] = await running.until(/Explorer: (http:\/\/127\.0\.0\.1:\d+)/);
    await running.until(/Ctrl-C ends it/);
    const scheduled = async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      return ['probe-listings', 'watch-runs'].map((name) =>
        Number(
          new RegExp(`^pricebook_queue_jobs\\{queue="${name}",state="delayed"\\} (\\d+)$`, 'm').exec(metrics)?.[1],
        ),
      );
    };
    await expect.poll(scheduled, { timeout: 10_000 }).toEqual([1, 1]);
    await book.loseQueue();
    expect(await scheduled()).toEqual([0, 0]);
    await expect.poll(scheduled, { timeout: 45_000 }).toEqual([1, 1]);
    running.process.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 143 });
  });
});
