import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import pg from 'pg';
import { removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { root } from '../house/source-files.ts';
import { wholeNumber } from '../support/whole-number.ts';
import { launchBrowser } from './browser.ts';
import { pictures, picturesFolder } from './pictures.ts';

/**
 * `npm run screenshots [-- --nights 28 --items 500 --home FOLDER --only NAME]`: plays a book with `pricebook start`, as
 * everybody does, and takes the pictures of docs/analyse/explorer.md from it. With a folder the book is kept there for
 * the next time.
 */
const values = new Command('screenshots')
  .option('--nights <number>', 'nights to play', wholeNumber, 28)
  .option('--items <number>', 'products of a region', wholeNumber, 500)
  .option('--home <folder>', 'keeps the book')
  .addOption(new Option('--only <name>', 'only this picture').choices(pictures.map(({ name }) => name)))
  .parse()
  .opts<{ nights: number; items: number; home?: string; only?: string }>();
const now = '2026-06-24T14:00:00Z';
const home = values.home ?? mkdtempSync(join(tmpdir(), 'pricebook-screenshots-'));
mkdirSync(home, { recursive: true });
// If root runs this, the server runs as another user who needs access.
chmodSync(home, 0o755);
const program = join(root, 'src/cli/pricebook.js');
const env = { PATH: process.env['PATH'] ?? '', PRICEBOOK_HOME: home, PORT: '0' };
const run = (...args: string[]) =>
  execFileSync(process.execPath, [program, '--now', now, ...args], { cwd: home, env, encoding: 'utf8' });

let started: ChildProcess | null = null;
try {
  started = spawn(
    process.execPath,
    [program, '--now', now, 'start', '--nights', `${values.nights}`, '--items', `${values.items}`],
    { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const url = await addressOf(started);
  run('stores', '--refresh', '--csv');
  run('search', 'milk', '--save', '--csv');
  await takePictures(url, run('config', '--database-url', '--owner').trim());
} finally {
  if (started && started.exitCode === null) {
    started.kill('SIGTERM');
    await once(started, 'exit');
  }
  if (values.home === undefined) {
    await removeEmbedded(join(home, 'demo'));
    rmSync(home, { recursive: true, force: true });
  }
}

/** Address of the explorer, once tonight is crawled and derived. */
async function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      process.stderr.write(chunk);
      said += chunk;
      const address = /(http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
      if (address && /Ctrl-C/.test(said)) resolve(address);
    };
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    child.once('exit', (code) => reject(new Error(`pricebook start ended with exit code ${code}`)));
  });
}

async function takePictures(url: string, databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const browser = await launchBrowser();
  mkdirSync(join(root, picturesFolder), { recursive: true });
  try {
    for (const { name, address, height = 700 } of pictures) {
      if (values.only !== undefined && values.only !== name) continue;
      const page = await browser.context.newPage();
      await page.setViewportSize({ width: 1100, height });
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      const path = typeof address === 'string' ? address : await address(async (sql) => (await client.query(sql)).rows);
      await page.goto(url + path, { waitUntil: 'load' });
      const file = join(root, picturesFolder, `${name}.png`);
      await page.screenshot({ path: file });
      await page.close();
      process.stderr.write(`${name}: ${path}, ${Math.ceil(statSync(file).size / 1_000)} KB\n`);
    }
  } finally {
    await browser.close();
    await client.end();
  }
}
