import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Dashboard, openDashboard } from '../../src/dashboard/server.ts';
import type { Status } from '../../src/status/status.ts';

const markup = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
const hostile = `${markup}\u202eabc`;

const status: Status = {
  at: new Date('2026-03-01T02:00:00Z'),
  regions: [
    {
      region: 'uk',
      open: null,
      lastNight: null,
      held: null,
      findings: [{ name: 'price-jump', severity: 'block', found: 1, message: hostile, samples: [hostile] }],
      changedNights: ['2026-02-01'],
      missedNights: ['2026-02-28'],
    },
  ],
  listings: [
    {
      listing: 'grocery',
      requestsSpent: 1_234,
      monthlyQuota: null,
      cost: null,
      state: 'denied',
      pausedUntil: null,
      lastError: hostile,
      quotaRemaining: null,
    },
  ],
  workersAlive: 0,
  quarantined: 7,
};

let dashboard: Dashboard;
afterEach(() => dashboard.close());

async function open(readStatus: () => Promise<Status> = async () => status): Promise<unknown[]> {
  const troubles: unknown[] = [];
  dashboard = await openDashboard({
    host: '127.0.0.1',
    port: 0,
    readStatus,
    readRuns: async () => [],
    onTrouble: (error) => troubles.push(error),
  });
  return troubles;
}

/** Status of a request as a browser would send it from elsewhere. */
function ask(path: string, options: { method?: string; host?: string }): Promise<number> {
  const { method = 'GET', host } = options;
  return new Promise((resolve, reject) => {
    const sent = request(dashboard.url + path, { method, ...(host ? { headers: { host } } : {}) }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}

describe('the dashboard', () => {
  test('lets nothing run or load but its own script and style, and nobody frame or sniff it', async () => {
    await open();
    for (const path of ['/', '/api/status', '/metrics', '/healthz', '/absent']) {
      const { headers } = await fetch(dashboard.url + path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('answers only to its own name, so that no page of others can be pointed at it', async () => {
    await open();
    expect(await ask('/api/status', {})).toBe(200);
    expect(await ask('/api/status', { host: 'localhost:1' })).toBe(200);
    expect(await ask('/api/status', { host: 'evil.example' })).toBe(421);
    expect(await ask('/', { host: '127.0.0.1.evil.example' })).toBe(421);
  });

  test('can be read only', async () => {
    await open();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      for (const path of ['/', '/api/status', '/metrics']) expect(await ask(path, { method }), method).toBe(404);
    }
  });

  test('tells of trouble without its particulars', async () => {
    const troubles = await open(async () => {
      throw new Error('connect to postgres://me:hush@db.example failed');
    });
    const response = await fetch(`${dashboard.url}/api/status`);
    expect([response.status, await response.text()]).toEqual([
      503,
      '{"error":"the database cannot be asked at the moment"}',
    ]);
    expect(troubles).toHaveLength(1);
  });

  test('knows no way to make markup of a text', () => {
    const script = readFileSync(new URL('../../src/dashboard/page.client.js', import.meta.url), 'utf8');
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function|DOMParser|srcdoc|href/,
    );
  });

  const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
  );
  test.runIf(browser)('shows texts of others as texts, in a real browser (where chromium is installed)', async () => {
    await open();
    const profile = mkdtempSync(join(tmpdir(), 'pricebook-browser-'));
    const child = spawn(
      browser!,
      [
        ...['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`],
        ...['--virtual-time-budget=3000', '--dump-dom', `${dashboard.url}/`],
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    let dom = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (dom += text));
    await once(child, 'close');
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    expect(dom).toContain('<title>Pricebook</title>');
    expect(dom).toContain('1,234');
    expect(dom).toContain('no longer as they were certified: 2026-02-01');
    const escaped = markup.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(dom.split(escaped).length - 1).toBe(2);
    expect(dom).not.toContain('<img');
    expect(dom).not.toContain('\u202e');
  });
});
