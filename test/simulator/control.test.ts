import { describe, expect, it } from 'vitest';
import type { Simulator } from '../../src/simulator/index.ts';
import { ask, pageOf, rootsOf, withSimulator } from './asking.ts';

async function control(simulator: Simulator, path: string, body?: unknown) {
  const response = await fetch(
    simulator.url + path,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
  );
  return { status: response.status, text: await response.text() };
}

describe('the control plane', () => {
  it("the control plane shows and changes the simulator's behaviour, and never shows its key", async () => {
    await withSimulator({ key: 'sentinel-key' }, async (simulator) => {
      const change = { date: '2026-05-01', requestsPerSecond: 3, faults: [{ kind: 'slow', ms: 1 }], migrated: true };
      const { status, text } = await control(simulator, '/__control', change);
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({
        dates: { uk: '2026-05-01', ie: '2026-05-01' },
        catalogue: { items: 300, seed: 1 },
        behaviour: { requestsPerSecond: 3, migrated: true },
        faults: [{ kind: 'slow', ms: 1, fired: 0 }],
      });
      expect((await control(simulator, '/__control')).text).toBe(text);
      expect(text).not.toContain('sentinel-key');
    });
  });

  it('the control plane moves the date of one region alone, and back to the clock', async () => {
    await withSimulator({ now: () => new Date('2026-09-09T12:00:00Z') }, async (simulator) => {
      await control(simulator, '/__control', { dates: { ie: '2026-05-01' } });
      expect(simulator.served()).toEqual({ uk: '2026-03-01', ie: '2026-05-01' });
      await control(simulator, '/__control', { date: null });
      expect(simulator.served()).toEqual({ uk: '2026-09-09', ie: '2026-09-09' });
    });
  });

  it('the control plane refuses an impossible change completely, with a reason', async () => {
    await withSimulator({}, async (simulator) => {
      const wrong: [unknown, string][] = [
        [{ date: 'tomorrow' }, '"tomorrow" is not a date'],
        [{ dates: { fr: '2026-05-01' } }, 'there is no region "fr"'],
        [{ migrated: true, speed: 3 }, 'there is no setting "speed"'],
        [{ pageSize: 0 }, 'pageSize cannot be 0'],
        [{ quotaUsed: -1 }, 'quotaUsed cannot be -1'],
        [{ ieShape: 'round' }, 'ieShape cannot be "round"'],
        [{ migrated: true, faults: [{ kind: 'meteor' }] }, 'there is no fault "meteor"'],
        [{ faults: [{ kind: 'slow', seconds: 3 }] }, 'a rule has no "seconds"'],
        [{ faults: {} }, 'faults must be a list'],
        [[], 'send a JSON object'],
      ];
      for (const [change, message] of wrong) {
        const { status, text } = await control(simulator, '/__control', change);
        expect(status).toBe(400);
        expect(text).toContain(JSON.stringify(message).slice(1, -1));
      }
      expect(simulator.state()).toMatchObject({ behaviour: { migrated: false, pageSize: 24 }, faults: [] });
      expect((await control(simulator, '/__truth?region=fr')).status).toBe(400);
      expect((await control(simulator, '/__truth?region=uk&date=never')).status).toBe(400);
      expect((await control(simulator, '/__elsewhere')).status).toBe(404);
    });
  });

  it('the control plane streams the truth, one product per line', async () => {
    await withSimulator({}, async (simulator) => {
      const { text } = await control(simulator, '/__truth?region=ie&date=2026-04-04');
      expect(text).toBe([...simulator.truth('ie', '2026-04-04')].map((one) => `${JSON.stringify(one)}\n`).join(''));
      const today = (await control(simulator, '/__truth?region=uk')).text.trimEnd().split('\n');
      expect(today.map((line) => JSON.parse(line))).toEqual([...simulator.truth('uk', '2026-03-01')]);
    });
  });

  it('the control plane logs requests with time and outcome, except control requests', async () => {
    let time = 0;
    await withSimulator({ elapsedMs: () => (time += 100) }, async (simulator) => {
      const [root] = await rootsOf(simulator, 'uk');
      simulator.resetLog();
      simulator.change({ faults: [{ kind: 'vendor500', pages: [2] }] });
      for (const pageNo of [1, 2, 3]) await ask(simulator, pageOf('uk', root!.id, pageNo));
      await ask(simulator, '/health', { host: 'property-1.simulator' });
      await control(simulator, '/__control');

      const log = JSON.parse((await control(simulator, '/__log?full=1')).text);
      expect(log).toMatchObject({
        total: 4,
        metered: 3,
        byEndpoint: { 'category-page': { 200: 2, 500: 1 }, health: { 200: 1 } },
        byStatus: { 200: 3, 500: 1 },
        maxPerSecond: 4,
      });
      expect(log.requests.map(({ path }: { path: string }) => path)).toContain(pageOf('uk', root!.id, 2));

      expect((await control(simulator, '/__reset', {})).status).toBe(200);
      expect(simulator.log()).toMatchObject({ total: 0, metered: 0, byStatus: {}, maxPerSecond: 0 });
    });
  });
});
