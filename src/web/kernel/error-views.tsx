import type { ComponentChildren } from 'preact';
import type { Failure } from '../api/failure.ts';

const view = (title: string, ...words: ComponentChildren[]) => ({ title, children: <p class="error">{words}</p> });

/** Page for a failed query. */
export const trouble = ({ line }: Failure) => view('This page has no answer now', line);

/** Page for a malformed address. It shows no data, because the request is not authenticated yet. */
export const malformedAddress = () =>
  view('This address is malformed', 'Two hexadecimal digits must follow each %. Open ', startPage);

export const unknownAddress = () => view('There is no such page', unknown, startPage);

const unknown = 'This address does not exist. The navigation above lists all pages; start with ';
const startPage = [<a href="/">the start page</a>, '.'];
