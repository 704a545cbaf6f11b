// Runs in the browser: updates the progress of open runs. Without it, the page shows the progress at load time.

const everyMs = 5_000;

setInterval(() => {
  if (!document.hidden) show().catch(isNothing);
}, everyMs);

async function show() {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of document.querySelectorAll('[id^="live-"]')) {
    part.replaceChildren(...(page.getElementById(part.id)?.childNodes ?? []));
  }
}

/** Ignores connection errors: the next attempt may succeed. */
function isNothing() {}
