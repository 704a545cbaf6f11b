// Runs in the browser on the page of products: updates it while words are typed. Without it, the button submits.

const form = document.getElementById('find');
const main = document.querySelector('main');
const said = document.createElement('p');
said.role = 'status';
said.className = 'hidden';
form.before(said);

const restMs = 250;
let timer = 0;
let asked = new AbortController();

form.addEventListener('input', () => {
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
  if (signal.aborted) return;
  main.replaceChildren(...page.querySelector('main').children);
  document.title = page.title;
  history.replaceState(null, '', address);
  said.textContent = document.querySelector('h1').textContent;
}

/** Ignores connection errors and aborted requests: the button still works. */
function isNothing() {}
