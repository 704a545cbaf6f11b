// Runs in the browser: updates the results while the form is filled in. Without it, the button of the form submits.

const form = document.querySelector('form.filters');
const said = document.createElement('p');
said.role = 'status';
said.className = 'visually-hidden';
form?.before(said);

const restMs = 250;
let timer = 0;
let asked = new AbortController();

form?.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(() => show().catch(isNothing), restMs);
});

async function show() {
  // Discards the response to earlier input.
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  const filled = [...new FormData(form)].filter(([, value]) => value !== '');
  const address = `${form.getAttribute('action')}?${new URLSearchParams(filled)}`;
  const answer = await fetch(address, { signal });
  // The current input may be incomplete and therefore invalid.
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const found = page.querySelector('form.filters');
  if (!found || signal.aborted) return;
  while (form.nextSibling) form.nextSibling.remove();
  while (found.nextSibling) form.parentNode.append(found.nextSibling);
  for (const named of ['title', 'h1'])
    document.querySelector(named).textContent = page.querySelector(named).textContent;
  history.replaceState(null, '', address);
  said.textContent = `${document.querySelectorAll('main tbody tr').length} rows`;
}

/** Ignores connection errors and aborted requests: the button still works. */
function isNothing() {}
