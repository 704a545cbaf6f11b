// Runs in the browser on every page: the theme, the values of charts, and products while words are typed. Pages work
// without it.

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

/** Offers the best matches with price and department while words are typed; a chosen one opens. */
function makeOffering(form) {
  const input = form.querySelector('input[list]');
  const { region, items } = form.elements;
  const place = new URLSearchParams({ region: region?.value ?? 'uk' });
  let rows = [];
  let waiting;
  input.addEventListener('input', () => {
    const chosen = rows.find(({ title }) => title === input.value);
    if (chosen && items) location.assign(`/compare?${place}&items=${items.value},${chosen.product_id}`);
    else if (chosen) location.assign(`/product?${place}&product=${chosen.product_id}`);
    clearTimeout(waiting);
    if (!chosen && input.value.trim().length > 2) waiting = setTimeout(offer, 200);
  });

  async function offer() {
    const words = encodeURIComponent(input.value.trim());
    const answer = await fetch(`/api/v1/questions/find?${place}&limit=8&words=${words}`);
    rows = answer.ok ? (await answer.json()).rows : [];
    const options = rows.map(({ title, price, currency, department }) => {
      const amount = price && new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(price);
      return make('option', { value: title, label: [amount, department].filter(Boolean).join(', ') });
    });
    input.list.replaceChildren(...options);
  }
}

/** Adds a button that copies the code; browsers let only secure pages write to the clipboard. */
function makeCopyable(code) {
  const button = make('button', { class: 'chip copy', type: 'button' });
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  });
  code.after(button);
}

function make(name, attributes, namespace = 'http://www.w3.org/1999/xhtml') {
  return set(document.createElementNS(namespace, name), attributes);
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

for (const chart of document.querySelectorAll('[data-chart]')) makeReadable(chart);
for (const form of document.querySelectorAll('form.find')) makeOffering(form);
if (navigator.clipboard) for (const code of document.querySelectorAll('pre.code')) makeCopyable(code);
