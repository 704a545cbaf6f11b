import { z } from 'zod';
import { type ExtraField, extraFieldTypes } from '../../base/model/index.ts';

const entry = new RegExp(`^([a-z][a-z0-9_]{0,62})=([^\\s:;]+):(${extraFieldTypes.join('|')})$`);
const path = /^[^.[\]]+(\.[^.[\]]+){0,19}$/;

/** Fields separated by `;`, such as `rating=reviews.averageRating:number; display=displayType:text`. */
export const ExtraFields = z.string().transform((text, context): readonly ExtraField[] => {
  const entries = text.split(';').map((written) => written.trim());
  const fields = entries.filter(Boolean).map((written): ExtraField | null => {
    const [, name, paths, type] = entry.exec(written) ?? [];
    if (!name || !paths || !type) return null;
    return { name, paths: paths.split('|'), type: type as ExtraField['type'] };
  });
  const read = fields.filter((field) => field !== null);
  if (read.length < fields.length || !read.every(({ paths }) => paths.every((each) => path.test(each)))) {
    const message =
      `must be fields such as rating=reviews.averageRating:number, separated by \`;\`; ` +
      `types are ${extraFieldTypes.join(', ')}, and a path has no list`;
    context.addIssue({ code: 'custom', message });
  } else if (new Set(read.map(({ name }) => name)).size < read.length) {
    context.addIssue({ code: 'custom', message: 'names a field twice; separate its paths by `|`' });
  } else if (read.length > 50) {
    context.addIssue({ code: 'custom', message: 'must name at most 50 fields' });
  }
  return read;
});
