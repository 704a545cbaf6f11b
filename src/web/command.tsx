import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** How a command is given where the program runs. */
export const OwnCommand = createContext('pricebook');

/** A command that begins with `pricebook`, as a person gives it. */
export function Command({ line }: { line: string }) {
  const own = useContext(OwnCommand);
  return <>{line.replace(/^pricebook(?= )/, () => own)}</>;
}
