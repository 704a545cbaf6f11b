import type { ComponentChildren } from 'preact';

/** A sentence whose words between backticks are commands. */
export function withCode(sentence: string): ComponentChildren {
  return sentence.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}
