import '../../src/cli/engine-settings.js';
import { withBook } from './book.ts';

// Started by memory.ts with the upstream's URL: crawls one night and tells the most memory this process ever had, in
// MB.
const url = process.argv[2]!;
const change = async (body: object) => {
  const response = await fetch(`${url}/__control`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
};
await withBook({ upstream: { url, change }, date: '2026-03-01' }, ({ night }) => night('2026-03-01'));
process.send?.(process.resourceUsage().maxRSS / 1024);
process.disconnect();
