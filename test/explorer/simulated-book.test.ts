import { expect, it } from 'vitest';
import { openOver, useExplorer } from './explorer-book.ts';

const explorer = useExplorer();
const shownAt = async (path: string) => (await (await explorer.get(path)).text()).replace(/<[^>]*>/g, '');
const line = 'Simulated: products and prices are invented';

it('every page states that the data are simulated, and no page of real data does', async () => {
  await explorer.db.query(`update ops.run set upstream = 'simulator seed=1 items=60 date=' || snapshot_date`);
  for (const page of ['/', '/products', '/promotions', '/stores', '/none']) expect(await shownAt(page)).toContain(line);
  await explorer.db.query(`update ops.run set upstream = 'grocery at https://gateway.example, host grocery.example'`);
  expect(await shownAt('/')).not.toContain(line);
});

it('empty pages show commands without their backticks', async () => {
  await explorer.db.query('truncate catalog.store cascade');
  const page = await (await explorer.get('/stores')).text();
  expect(page).toContain('<code>pricebook stores --refresh</code>');
  expect(page).not.toContain('`pricebook');
});

it('hints name commands as they are called where the program runs', async () => {
  const ownCommand = 'npm run --silent pricebook --';
  const { url, close } = await openOver(explorer.db, { ownCommand });
  try {
    const read = async (path: string) => (await fetch(url + path)).text();
    expect(await read('/stores')).toContain(`<code>${ownCommand} stores --refresh</code>`);
    expect(await read('/requests')).toContain(`<code>${ownCommand} listings migrate LISTING --dry-run</code>`);
  } finally {
    await close();
  }
});
