import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator, type Simulator, simulatorHosts } from '../../src/simulator/index.ts';
import { ask, type Element } from './asking.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ items: 2000, date: '2026-03-01' });
});
afterAll(() => simulator.close());

describe('stores and health', () => {
  const near = (radius: number) =>
    ask(simulator, `/store-list?latitude=53.35&longitude=-6.26&radius=${radius}`, { host: simulatorHosts.stores });

  it('stores within a radius in miles are listed, nearest first', async () => {
    const { body } = await near(15);
    expect(body).toMatchObject({ success: true, data: { success: true } });
    const { stores } = body.data.data;
    expect(stores.length).toBeGreaterThan(2);
    const distances = stores.map(({ distance }: Element) => distance);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    expect(Math.max(...distances)).toBeLessThanOrEqual(15);
    expect((await near(200)).body.data.data.stores.length).toBeGreaterThan(stores.length);
    expect((await near(0)).body.data.data.stores).toEqual([]);
  });

  it('a store has every field of the specification', async () => {
    const [store] = (await near(50)).body.data.data.stores;
    for (const field of ['storeId', 'displayName', 'storeType', 'email', 'reservationSystem', 'reservationUrl']) {
      expect(store[field]).toEqual(expect.any(String));
    }
    for (const field of ['distance', 'latitude', 'longitude']) expect(store[field]).toEqual(expect.any(Number));
    for (const field of [
      'isBopisable',
      'isRopisable',
      'isCurbsideEnabled',
      'isConciergeCurbsideEnabled',
      'isNoShowFeeApplicable',
      'isOnlineReservationEnabled',
      'isVirtual',
    ]) {
      expect(store[field]).toEqual(expect.any(Boolean));
    }
    expect(Object.keys(store.address).sort()).toEqual([
      'address1',
      'address2',
      'city',
      'country',
      'crossStreet',
      'fax',
      'mallName',
      'phone',
      'postalCode',
      'state',
    ]);
    expect(store.curbsideHours.mondayHours).toMatch(/^\d\d:\d\d(AM|PM)-\d\d:\d\d(AM|PM)$/);
    expect(store.curbsideHours.timeZone).toBe('Europe/Dublin');
  });

  it('missing parameters are explained as in the specification', async () => {
    const { status, body } = await ask(simulator, '/store-list?latitude=53', { host: simulatorHosts.stores });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      message: expect.stringContaining('Content-Type: application/json'),
      error: { name: 'ZodError' },
    });
    expect(body.error.issues.map(({ path }: Element) => path)).toEqual([['longitude'], ['radius']]);
    expect(body.error.issues[0]).toMatchObject({ code: 'too_small', minimum: 1, inclusive: true, exact: false });
  });

  it('the property listings answer health requests, and nothing else', async () => {
    for (const host of [
      simulatorHosts.property1,
      simulatorHosts.property1Old,
      simulatorHosts.property2,
      simulatorHosts.property2Old,
    ]) {
      expect((await ask(simulator, '/health', { host })).body).toMatchObject({ success: true });
      expect((await ask(simulator, '/store-list', { host })).status).toBe(404);
    }
  });
});
