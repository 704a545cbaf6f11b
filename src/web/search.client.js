// Runs in the browser: shows what the filters find while they are filled in. Without it the button of the form does.

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
  // An answer to what was typed before comes too late.
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  const filled = [...new FormData(form)].filter(([, value]) => value !== '');
  const address = `${form.getAttribute('action')}?${new URLSearchParams(filled)}`;
  const answer = await fetch(address, { signal });
  // What is typed so far may be no value yet.
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

/** The connection is gone, or a later question is under way: the button is still there. */
function isNothing() {}
