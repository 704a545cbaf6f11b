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
  replace('listings', [
    row('th', ['listing', 'requests this month', 'quota', 'left by its own count', 'state']),
    ...listings.map((l) =>
      row('td', [
        l.listing,
        count(l.requests_spent),
        l.monthly_quota ? count(l.monthly_quota) : '',
        count(l.quota_remaining),
        l.state === 'ok' ? 'ok' : `${l.state} until ${l.paused_until ?? 'further notice'}: ${l.last_error ?? ''}`,
      ]),
    ),
  ]);
  replace('runs', [
    row('th', ['run', 'region', 'night', 'status', 'certificate', 'listed', 'available', 'requests']),
    ...runs.map((r) =>
      row('td', [
        r.run_id,
        r.region,
        r.snapshot_date,
        r.paused_for && r.status === 'open' ? 'waiting' : r.status,
        words(r.verdict),
        count(r.products_listed),
        count(r.products_available),
        count(r.requests_spent),
      ]),
    ),
  ]);
}

function card({ region, open, last_night, missed_nights }) {
  const parts = [element('h2', region === 'uk' ? 'United Kingdom' : 'Ireland')];
  if (last_night) {
    parts.push(element('p', count(last_night.products_listed), 'big'));
    parts.push(element('p', `products listed, ${count(last_night.products_available)} available`));
    const isPartial = last_night.verdict === 'partial';
    parts.push(element('p', `${last_night.snapshot_date}: ${words(last_night.verdict)}`, isPartial ? 'bad' : 'good'));
  } else parts.push(element('p', 'no night yet'));
  if (open) {
    const { pages_done, pages_planned, pages_failed, details_done, details_planned } = open.progress;
    const bar = document.createElement('progress');
    bar.max = Math.max(1, pages_planned + details_planned);
    bar.value = pages_done + pages_failed + details_done;
    parts.push(bar);
    parts.push(element('p', `${phaseOf(open.phase)}: ${count(pages_done)} of ${count(pages_planned)} pages`));
    if (open.paused_for) parts.push(element('p', `waiting: ${open.paused_for}`, 'bad'));
  }
  if (missed_nights.length > 0) parts.push(element('p', `missed nights: ${missed_nights.join(', ')}`, 'bad'));
  const article = element('article', '', 'card');
  article.append(...parts);
  return article;
}

function phaseOf(phase) {
  return phases[phase] ?? phase;
}

function count(value) {
  return value === null ? '' : number.format(value);
}

function words(verdict) {
  return verdict === null ? '' : verdict.replaceAll('_', ' ');
}

function say(text) {
  document.getElementById('said').textContent = text;
}

function replace(id, nodes) {
  document.getElementById(id)?.replaceChildren(...nodes);
}

function row(kind, cells) {
  const line = document.createElement('tr');
  line.append(...cells.map((cell) => element(kind, String(cell))));
  return line;
}

function element(tag, text, className) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}
