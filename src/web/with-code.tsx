import type { ComponentChildren } from 'preact';
import { Command } from './command.tsx';

/** Renders text between backticks as commands. */
export function withCode(sentence: string): ComponentChildren {
  return sentence.split('`').map((part, i) =>
    i % 2 === 1 ? (
      <code key={i}>
        <Command line={part} />
      </code>
    ) : (
      part
    ),
  );
}
