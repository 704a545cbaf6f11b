import type { ComponentChildren } from 'preact';
import type { Failure } from '../api/failure.ts';
import { Chips, withCode } from './parts.tsx';
import { cutAt, text } from './words.ts';

const ways = { 'Find a product': '/find', 'All questions': '/questions', 'Start page': '/' };

/** What happened, what it means and what to do, and addresses that may help, by name. */
export const said = (words: ComponentChildren, links: Readonly<Record<string, string>> = {}, kind = 'error') => [
  <p class={kind}>{words}</p>,
  <Chips label="Where to go on" of={Object.entries({ ...links, ...ways })} />,
];

/** Page for a failed query. */
export const trouble = ({ line }: Failure, url: string) => ({
  title: 'This page has no answer now',
  children: said(withCode(`${line} \`pricebook doctor\` says what is wrong.`), { 'Try again': url }),
});

/** It shows no data, because the request may not be authenticated yet. */
export const unknownAddress = (url: string) => ({
  title: 'There is no such page',
  children: said(`Nothing is at ${cutAt(text(url), 80)}. It may be mistyped or old. Search, or go on here:`),
});
