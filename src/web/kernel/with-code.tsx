import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Command that starts the program in this installation, such as `npx pricebook`. */
export const OwnCommand = createContext('pricebook');

/** Renders text between backticks as commands, as they have to be typed in this installation. */
export function withCode(sentence: string): ComponentChildren {
  return sentence.split('`').map((part, i) => (i % 2 === 1 ? <Command key={i} line={part} /> : part));
}

function Command({ line }: { line: string }) {
  const own = useContext(OwnCommand);
  return <code>{line.replace(/^pricebook(?= )/, () => own)}</code>;
}
