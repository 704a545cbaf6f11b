import { expect, it } from 'vitest';
import { useExplorer } from './explorer-book.ts';

const explorer = useExplorer();
const line = 'A simulated supermarket, not a real one';

it('says on every page that the book is simulated, and of a listing’s book it does not', async () => {
  await explorer.db.query(`update ops.run set upstream = 'simulator seed=1 items=60 date=' || snapshot_date`);
  for (const page of ['/', '/products', '/promotions', '/stores', '/none'])
    expect(await (await explorer.get(page)).text()).toContain(line);
  await explorer.db.query(`update ops.run set upstream = 'grocery at https://gateway.example, host grocery.example'`);
  expect(await (await explorer.get('/')).text()).not.toContain(line);
});

it('writes commands on empty pages without their backticks', async () => {
  await explorer.db.query('truncate catalog.store cascade');
  const page = await (await explorer.get('/stores')).text();
  expect(page).toContain('<code>pricebook stores --refresh</code>');
  expect(page).not.toContain('`pricebook');
});
