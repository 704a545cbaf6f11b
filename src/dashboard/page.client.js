// Runs in the browser: asks how things stand and shows it, as text.

const everyMs = 2_000;
const phases = {
  taxonomy: 'reading the categories',
  listing: 'reading the pages',
  details: 'reading details',
  finishing: 'publishing',
  over: 'done',
};
const number = new Intl.NumberFormat('en-GB');

look();

async function look() {
  try {
    const response = await fetch('/api/status');
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    show(await response.json());
  } catch (error) {
    say(`cannot be reached: ${error.message}`);
  }
  setTimeout(look, everyMs);
}

function show({ at, regions, listings, workers_alive, quarantined, runs }) {
  say(
    `${new Date(at).toLocaleString('en-GB')} · ${workers_alive} at work · ${number.format(quarantined)} records in quarantine`,
  );
  replace('regions', regions.map(card));
  replace('listings', rows(listingColumns, listings));
  replace('runs', rows(runColumns, runs));
}

// Heading, what stands below it, and whether that is a number.
const listingColumns = [
  ['listing', (l) => l.listing],
  ['requests this month', (l) => count(l.requests_spent), true],
  ['quota', (l) => (l.monthly_quota ? count(l.monthly_quota) : ''), true],
  ['left by its own count', (l) => count(l.quota_remaining), true],
  [
    'state',
    (l) => (l.state === 'ok' ? 'ok' : `${l.state} until ${l.paused_until ?? 'further notice'}: ${l.last_error ?? ''}`),
  ],
];
const runColumns = [
  ['run', (r) => r.run_id, true],
  ['region', (r) => r.region],
  ['night', (r) => r.snapshot_date],
  ['status', (r) => (r.paused_for && r.status === 'open' ? 'waiting' : r.status)],
  ['certificate', (r) => words(r.certificate)],
  ['listed', (r) => count(r.products_listed), true],
  ['available', (r) => count(r.products_available), true],
  ['requests', (r) => count(r.requests_spent), true],
];

function card({ region, open, last_night, held, findings, missed_nights, changed_nights }) {
  const parts = [element('h2', region === 'uk' ? 'United Kingdom' : 'Ireland')];
  if (last_night) {
    parts.push(element('p', count(last_night.products_listed), 'big'));
    parts.push(element('p', `products listed, ${count(last_night.products_available)} available`));
    const isPartial = last_night.certificate === 'partial';
    parts.push(
      element('p', `${last_night.snapshot_date}: ${words(last_night.certificate)}`, isPartial ? 'bad' : 'good'),
    );
  } else parts.push(element('p', 'no night yet'));
  if (open) {
    const { pages_done, pages_planned, pages_failed, details_done, details_planned } = open.progress;
    const bar = document.createElement('progress');
    bar.max = Math.max(1, pages_planned + details_planned);
    bar.value = pages_done + pages_failed + details_done;
    bar.setAttribute('aria-label', `${open.snapshot_date}, how far it is`);
    parts.push(bar);
    const read =
      open.phase === 'details'
        ? `${count(details_done)} of ${count(details_planned)} details`
        : `${count(pages_done)} of ${count(pages_planned)} pages`;
    parts.push(element('p', `${open.snapshot_date}: ${phases[open.phase] ?? open.phase}, ${read}`));
    if (open.paused_for) parts.push(element('p', `waiting: ${open.paused_for}`, 'bad'));
  }
  if (held) {
    parts.push(
      element('p', `${held.snapshot_date} (run ${held.run_id}) is held back until a person releases it`, 'bad'),
    );
  }
  for (const { severity, message } of findings) parts.push(element('p', message, severity === 'block' ? 'bad' : ''));
  if (changed_nights.length > 0) {
    parts.push(element('p', `no longer as they were certified: ${changed_nights.join(', ')}`, 'bad'));
  }
  if (missed_nights.length > 0) parts.push(element('p', `missed nights: ${missed_nights.join(', ')}`, 'bad'));
  const article = element('article', '', 'card');
  article.append(...parts);
  return article;
}

function count(value) {
  return value === null ? '' : number.format(value);
}

function words(certificate) {
  return certificate === null ? '' : certificate.replaceAll('_', ' ');
}

function say(text) {
  document.getElementById('said').textContent = text;
}

function replace(id, nodes) {
  document.getElementById(id)?.replaceChildren(...nodes);
}

function rows(columns, items) {
  const row = (cells) => {
    const line = document.createElement('tr');
    line.append(...cells);
    return line;
  };
  return [
    row(columns.map(([heading, , isNumber]) => element('th', heading, isNumber ? 'number' : ''))),
    ...items.map((item) =>
      row(columns.map(([, cell, isNumber]) => element('td', cell(item), isNumber ? 'number' : ''))),
    ),
  ];
}

/** Texts of others go in as text, and without what would turn round the words after them. */
function element(tag, text, className) {
  const made = document.createElement(tag);
  made.textContent = String(text).replace(/\p{Bidi_Control}/gu, '');
  if (className) made.className = className;
  return made;
}
