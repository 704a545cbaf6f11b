import type { Failure } from './failure.ts';
import type { Refused } from './parameters.ts';

/** An address that says something a page cannot use. */
export function refusal({ line }: Refused) {
  return { title: 'This address cannot be used', children: <p class="error">{line} Correct it in the address.</p> };
}

/** Nobody could answer. */
export function trouble({ status }: Failure) {
  if (status === 500) {
    return {
      title: 'This page has a fault',
      children: <p class="error">The fault is in Pricebook, and your data are unharmed. The log says more.</p>,
    };
  }
  return {
    title: 'The database cannot be asked at the moment',
    children: <p class="error">Nothing is lost. Load the page again in a while; what happened stands in the log.</p>,
  };
}

/** Who asks is not known at this point: nothing of the book is said. */
export function malformedAddress() {
  return {
    title: 'This address cannot be read',
    children: (
      <p class="error">
        After each % two hexadecimal digits must follow. Correct it, or begin with <a href="/">the overview</a>.
      </p>
    ),
  };
}

export function unknownAddress() {
  return {
    title: 'There is no such page',
    children: (
      <p class="error">
        Nothing has this address. The pages there are stand above; <a href="/">the overview</a> is the first.
      </p>
    ),
  };
}
