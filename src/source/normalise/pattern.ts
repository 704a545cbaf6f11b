/** Source of a regular expression over several lines: line breaks and the indentation after them are not part of it. */
export function pattern({ raw }: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: raw.map((text) => text.replaceAll(/\n\s*/g, '')) }, ...values);
}
