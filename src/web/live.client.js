// Runs in the browser: updates the progress of open runs. Without it, the page shows the progress at load time.

const events = new EventSource('/live');

events.onmessage = ({ data }) => {
  for (const { region, line, done, planned } of JSON.parse(data)) {
    const place = document.getElementById(`live-${region}`);
    if (!place) continue;
    place.querySelector('p').textContent = line;
    const bar = place.querySelector('progress');
    bar.hidden = planned === 0;
    bar.max = Math.max(1, planned);
    bar.value = done;
  }
};
