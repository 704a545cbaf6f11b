import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Command that starts the program in this installation, such as `npx pricebook`. */
export const OwnCommand = createContext('pricebook');

/** Shows a `pricebook …` command as it has to be typed in this installation. */
export function Command({ line }: { line: string }) {
  const own = useContext(OwnCommand);
  return <>{line.replace(/^pricebook(?= )/, () => own)}</>;
}
