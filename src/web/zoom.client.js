// Runs in the browser: a stretch that is dragged over a chart becomes the dates of the form. Without it they are typed.

const form = document.querySelector('form[data-zoom]');
const dayMs = 86_400_000;

for (const chart of form ? document.querySelectorAll('svg[data-from]') : []) {
  const { from, days, left, right } = chart.dataset;
  const { width, height } = chart.viewBox.baseVal;
  const mark = document.createElementNS(chart.namespaceURI, 'rect');
  mark.setAttribute('class', 'zoom');
  mark.setAttribute('height', height);
  let start = null;

  const placeOf = ({ clientX }) => {
    const box = chart.getBoundingClientRect();
    return Math.min(right, Math.max(left, ((clientX - box.left) / box.width) * width));
  };
  const dayAt = (place) => Math.min(days - 1, Math.floor(((place - left) / (right - left)) * days));
  const dateAt = (place) => new Date(Date.parse(from) + dayAt(place) * dayMs).toISOString().slice(0, 10);
  const forget = () => {
    start = null;
    mark.remove();
  };

  chart.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    start = placeOf(event);
    chart.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  chart.addEventListener('pointermove', (event) => {
    if (start === null) return;
    const place = placeOf(event);
    mark.setAttribute('x', Math.min(start, place));
    mark.setAttribute('width', Math.abs(place - start));
    chart.append(mark);
  });
  chart.addEventListener('pointerup', (event) => {
    if (start === null) return;
    const [first, last] = [start, placeOf(event)].sort((a, b) => a - b);
    forget();
    // A click is no stretch.
    if (last - first < 4) return;
    form.elements.from.value = dateAt(first);
    form.elements.to.value = dateAt(last);
    form.requestSubmit();
  });
  chart.addEventListener('pointercancel', forget);
}
