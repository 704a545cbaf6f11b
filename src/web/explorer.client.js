// Runs in the browser on every page: the theme, the basket, and the values of charts. Pages work without it.

const root = document.documentElement;
const kept = localStorage.getItem('theme');
if (kept) root.dataset.theme = kept;
const toggle = document.getElementById('theme');
toggle.hidden = false;
toggle.addEventListener('click', () => {
  const now = root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  root.dataset.theme = now === 'dark' ? 'light' : 'dark';
  localStorage.setItem('theme', root.dataset.theme);
});

const asked = new URLSearchParams(location.search);

// The last basket is kept, as it is in each region: the navigation opens it, and products are added to it.
const regionOf = (search) => search.get('region') ?? 'uk';
const basketOf = (region) => new URLSearchParams(localStorage.getItem(`basket-${region}`) ?? '');
if (location.pathname === '/basket') {
  asked.delete('find');
  const name = `basket-${regionOf(asked)}`;
  // The page knows the same basket in the other region, with what that region lacks.
  const elsewhere = document.querySelector('[aria-label="Region"] a:not([aria-current])')?.search;
  const other = new URLSearchParams(elsewhere);
  if (['items', 'p', 'away'].some((key) => asked.get(key))) {
    localStorage.setItem(name, asked);
    if (elsewhere) localStorage.setItem(`basket-${regionOf(other)}`, other);
  } else if (asked.has('items')) for (const region of ['uk', 'ie']) localStorage.removeItem(`basket-${region}`);
  else if ([...asked.keys()].every((key) => key === 'region') && localStorage.getItem(name))
    location.replace(`/basket?${localStorage.getItem(name)}`);
}
const basketLinks = [...document.querySelectorAll('.menu a[href^="/basket"], a[data-add]')].map((link) => ({
  link,
  empty: link.href,
}));
function openKeptBasket() {
  for (const { link, empty } of basketLinks) {
    const basket = basketOf(regionOf(new URL(empty).searchParams));
    const isKept = basket.size > 0;
    if (link.dataset.add) basket.append('p', link.dataset.add);
    link.href = isKept ? `/basket?${basket}` : empty;
  }
}
openKeptBasket();
// Another tab may have changed the basket, also while this page was left.
addEventListener('storage', openKeptBasket);
addEventListener('pageshow', openKeptBasket);
// So are the products that were compared last.
if (location.pathname === '/compare') {
  if (asked.has('p')) localStorage.setItem('compare', asked);
  else localStorage.removeItem('compare');
}
const compared = document.querySelector('.menu a[href^="/compare"]');
if (compared && localStorage.getItem('compare')) compared.href = `/compare?${localStorage.getItem('compare')}`;
document.addEventListener('submit', ({ target: form, submitter }) => {
  // They are opened now, compared or in the basket.
  if (submitter?.closest('.ticked.rows')) sessionStorage.removeItem('ticked');
  if (submitter?.getAttribute('formaction') !== '/basket') return;
  const kept = [...basketOf(form.elements.region.value)].filter(([name]) => name !== 'region');
  const fields = kept.map(([name, value]) => make('input', { type: 'hidden', name, value }));
  form.append(...fields);
  // Sent by then; the form may be shown again.
  setTimeout(() => {
    for (const field of fields) field.remove();
  });
});

// Products stay ticked while others are searched for; the first list with one of them, or the first, says how many.
let ticked = new Set();
const boxesOf = (form) => [...form.querySelectorAll('[type=checkbox][name=p]')];
function showTicked() {
  const forms = [...document.querySelectorAll('.ticked.rows')].map((line) => line.parentElement);
  for (const box of forms.flatMap(boxesOf)) box.checked = ticked.has(box.value);
  const shown = forms.find((form) => boxesOf(form).some(({ checked }) => checked)) ?? forms[0];
  for (const form of forms) {
    const line = form.querySelector('.ticked.rows');
    line.classList.toggle('some', form === shown && ticked.size > 0);
    for (const extra of line.querySelectorAll('[type=hidden], [type=button]')) extra.remove();
    const own = new Set(boxesOf(form).map(({ value }) => value));
    const others = [...ticked].filter((value) => !own.has(value));
    line.append(...others.map((value) => make('input', { type: 'hidden', name: 'p', value })));
    line.querySelector('span').textContent = `${ticked.size} ticked:`;
    line.append(Object.assign(make('button', { type: 'button', class: 'plain' }), { textContent: 'Untick all' }));
  }
}
document.addEventListener('change', ({ target: box }) => {
  if (box.name !== 'p' || !box.closest('form')?.querySelector('.ticked.rows')) return;
  ticked[box.checked ? 'add' : 'delete'](box.value);
  keepTicked();
});
document.addEventListener('click', ({ target }) => {
  if (!target.matches('.ticked.rows > [type=button]')) return;
  ticked.clear();
  keepTicked();
});
function keepTicked() {
  sessionStorage.setItem('ticked', JSON.stringify([...ticked]));
  showTicked();
}
// Also when the page is shown again after another one.
addEventListener('pageshow', () => {
  ticked = new Set(JSON.parse(sessionStorage.getItem('ticked') ?? '[]'));
  showTicked();
});
// A search replaces its list.
new MutationObserver((changes) => {
  const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
  if (added.some((node) => node.querySelector?.('.ticked.rows'))) showTicked();
}).observe(document.body, { childList: true, subtree: true });

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 7, PageDown: -7 };

/** Adds a slider over a chart; it says the values of a day on hover, tap and arrow keys. */
function makeReadable(chart) {
  const { title, first, days, gaps, bands, series } = JSON.parse(chart.dataset.chart);
  const plot = chart.querySelector('.plot');
  const tip = make('div', { class: 'tip', hidden: '' });
  const slider = make('div', {
    role: 'slider',
    tabindex: 0,
    'aria-label': `Day, ${title}`,
    'aria-valuemin': 0,
    'aria-valuemax': days - 1,
    'aria-valuenow': days - 1,
    'aria-valuetext': 'Use the arrow keys to read one day after another',
  });
  const cross = make('line', { class: 'cross', y1: 0, y2: '100%' }, plot.namespaceURI);
  const knobs = series.map(() => make('circle', { class: 'knob', r: 4 }, plot.namespaceURI));
  plot.append(cross, ...knobs);
  chart.append(slider, tip);
  let day = days - 1;

  const holding = (spells) => spells.filter(([from, to]) => from <= day && day < to);

  function show(next) {
    day = Math.max(0, Math.min(days - 1, next));
    const x = ((day + 0.5) / days) * 100;
    set(cross, { x1: `${x}%`, x2: `${x}%` });
    let lines = series.flatMap(({ name, spells }, i) => {
      const [spell] = holding(spells);
      set(knobs[i], { cx: `${x}%`, cy: `${spell?.[3] ?? 0}%`, visibility: spell ? 'visible' : 'hidden' });
      return spell ? [`${name} ${spell[2]}`] : [];
    });
    if (holding(gaps).length > 0) lines = ['No complete night: nothing is known'];
    else if (lines.length === 0) lines = ['Not listed'];
    lines.push(...holding(bands).map(([, , text]) => text));
    const date = dates.format((first + day) * 86_400_000);
    tip.replaceChildren(
      ...[date, ...lines].map((text, i) => Object.assign(make(i === 0 ? 'b' : 'div', {}), { textContent: text })),
    );
    set(slider, { 'aria-valuenow': day, 'aria-valuetext': `${date}: ${lines.join(', ')}` });
    tip.hidden = false;
    chart.classList.add('on');
    const [outer, inner] = [chart.getBoundingClientRect(), plot.getBoundingClientRect()];
    const at = inner.left - outer.left + (inner.width * x) / 100 + 12;
    const room = outer.width - tip.offsetWidth;
    tip.style.left = `${Math.max(0, at > room ? at - 24 - tip.offsetWidth : at)}px`;
  }

  function hide() {
    if (slider.matches(':focus-visible')) return;
    tip.hidden = true;
    chart.classList.remove('on');
  }

  const follow = ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    show(Math.floor(((clientX - left) / width) * days));
  };
  slider.addEventListener('pointermove', follow);
  slider.addEventListener('pointerdown', follow);
  slider.addEventListener('pointerleave', ({ pointerType }) => pointerType !== 'touch' && hide());
  slider.addEventListener('blur', () => setTimeout(hide));
  slider.addEventListener('focus', () => slider.matches(':focus-visible') && show(day));
  slider.addEventListener('keydown', (event) => {
    if (event.key === 'Home') show(0);
    else if (event.key === 'End') show(days - 1);
    else if (steps[event.key]) show(day + steps[event.key]);
    else return;
    event.preventDefault();
  });
}

function make(name, attributes, namespace = 'http://www.w3.org/1999/xhtml') {
  return set(document.createElementNS(namespace, name), attributes);
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const enhance = (within) => within.querySelectorAll('[data-chart]').forEach(makeReadable);
enhance(document);

// A range of a chart is a link. Replaces only the part of the page that it changes.
document.addEventListener('click', async (event) => {
  const link = event.target.closest('a[data-swap]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const page = new DOMParser().parseFromString(await (await fetch(link.href)).text(), 'text/html');
    const part = page.getElementById(link.dataset.swap);
    document.getElementById(link.dataset.swap).replaceWith(part);
    history.replaceState(null, '', link.href);
    enhance(part);
    part.querySelector('[aria-current]').focus();
  } catch {
    location.assign(link.href);
  }
});
