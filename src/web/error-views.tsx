import type { Failure } from './failure.ts';
import type { Refused } from './parameters.ts';

/** Page for an address with invalid parameters. */
export function refusal({ line }: Refused) {
  return { title: 'This address cannot be used', children: <p class="error">{line} Correct the address.</p> };
}

/** Page for a failed query: 503 if the database is not reachable, 500 for a bug. */
export function trouble({ status }: Failure) {
  if (status === 500) {
    return {
      title: 'This page has a fault',
      children: <p class="error">Pricebook has a fault. Your data are unharmed. Details are in the log.</p>,
    };
  }
  return {
    title: 'The database cannot be reached',
    children: <p class="error">No data are lost. Load the page again in a while. Details are in the log.</p>,
  };
}

/** Page for a malformed address. It shows no data, because the request is not authenticated yet. */
export function malformedAddress() {
  return {
    title: 'This address is malformed',
    children: (
      <p class="error">
        Two hexadecimal digits must follow each %. Correct the address, or open <a href="/">the start page</a>.
      </p>
    ),
  };
}

export function unknownAddress() {
  return {
    title: 'There is no such page',
    children: (
      <p class="error">
        This address does not exist. The navigation above lists all pages; start with <a href="/">the start page</a>.
      </p>
    ),
  };
}
