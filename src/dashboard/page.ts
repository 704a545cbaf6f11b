import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const style = read('page.css');
const script = read('page.client.js');

/** The whole page: nothing is loaded from elsewhere, and what it shows goes in as text, never as markup. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pricebook</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header><h1>Pricebook</h1><p id="said" role="status">asking…</p></header>
<main>
<section id="regions" aria-label="Regions"></section>
<section><h2>Limits</h2><table id="listings"></table></section>
<section><h2>Last runs</h2><table id="runs"></table></section>
</main>
<script>${script}</script>
</body>
</html>
`;

/** Only this very style and script may run, and only this server be asked. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src '${hashOf(style)}'`,
  `script-src '${hashOf(script)}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
