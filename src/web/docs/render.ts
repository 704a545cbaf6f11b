import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';

export type RenderedPage = ReturnType<typeof renderMarkdown>;

/**
 * Renders the Markdown of a page. Links to other pages become addresses of the explorer; links to files that it does
 * not serve become plain text. `hrefOf` returns the address of a file by its path within the documentation, or null.
 */
export function renderMarkdown(
  markdown: string,
  { path, hrefOf }: { path: string; hrefOf(path: string): string | null },
) {
  const own = hrefOf(path)!;
  const addressOf = (href: string): string | null => {
    // A page of the explorer opens where the documentation is read.
    if (/^https?:/.test(href)) return href.replace(/^http:\/\/127\.0\.0\.1:4280(?=\/)/, '');
    const [file = '', anchor] = href.split('#');
    const address = file === '' ? own : hrefOf(posix.join(posix.dirname(path), file));
    return address && anchor !== undefined ? `${address}#${anchor}` : address;
  };
  const marked: Marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const address = addressOf(href);
        const content = this.parser.parseInline(tokens);
        return address === null ? content : `<a href="${escapeHtml(address)}">${content}</a>`;
      },
      image({ href, text }) {
        const address = addressOf(href);
        return address === null ? '' : `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}">`;
      },
      // Names with types and meanings are a table.
      list({ items }) {
        const rows = items.map(({ text }) => {
          const [, name, type, meaning] = /^`(\w+)` \((.+?)\): (.+)$/s.exec(text) ?? [];
          const term = `<dt><code>${name}</code><br><small>${type}</small></dt>`;
          return meaning && `<div>${term}<dd>${marked.parseInline(meaning, { async: false })}</dd></div>`;
        });
        return rows.includes(undefined) ? false : `<dl class="facts">${rows.join('')}</dl>`;
      },
      // What folds may be long.
      html: ({ text }) => (/^(<\/?details>|<summary>[\w ]+<\/summary>|\s)+$/.test(text) ? text : escapeHtml(text)),
      // What scrolls must be reachable by keyboard (WCAG 2.1.1).
      code: ({ text, lang }) =>
        framed('Code', `<pre class="${lang === 'text' ? 'output' : 'code'}"><code>${escapeHtml(text)}</code></pre>`),
      table(token) {
        const rowOf = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => rowOf(cells, 'td')).join('');
        return framed('Table', `<table><thead>${rowOf(token.header, 'th')}</thead><tbody>${body}</tbody></table>`);
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
  const first = tokens.find(({ type }) => type === 'paragraph');
  return {
    /** The first heading, as text. */
    title: plain(headings[0]?.text ?? path),
    /** The first paragraph, as text. */
    about: plain((first as Tokens.Paragraph | undefined)?.text ?? ''),
    html: marked.parser(tokens),
    /** Headings of the second level, with their addresses. */
    sections: headings
      .filter(({ depth }) => depth === 2)
      .map(({ text }) => ({ href: `${own}#${anchorOf(text)}`, heading: plain(text) })),
  };
}

/** As GitHub spells it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Markdown without its marks. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|^#+ |^[-:\s|]+$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

let frames = 0;
function framed(label: string, content: string): string {
  frames += 1;
  return `<section class="scroll" aria-label="${label} ${frames}" tabindex="0">${content}</section>\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
