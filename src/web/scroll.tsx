import type { ComponentChildren, JSX } from 'preact';

/** What may be wider than the window: it is moved aside within its own frame, which the keyboard reaches, too. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
