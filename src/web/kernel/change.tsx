import type { JSX } from 'preact';
import { nothing, percent as signed } from './words.ts';

/** A change of prices in percent: arrow, colour and a word show its direction. */
export function Change({ percent }: { percent: string | number | null }): JSX.Element {
  if (percent === null) return <span class="quiet">{nothing}</span>;
  const value = Number(percent);
  const size = signed(percent).replace(/^[+−]/, '');
  if (size === '0.0%') return <span class="quiet">{value === 0 ? 'no change' : 'about the same'}</span>;
  return (
    <span class={`change ${value > 0 ? 'up' : 'down'}`}>
      <span aria-hidden="true">{value > 0 ? '▲' : '▼'}</span> {size}
      <span class="hidden"> {value > 0 ? 'more' : 'less'}</span>
    </span>
  );
}
