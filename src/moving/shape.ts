/** The kinds of value a place in a JSON document holds; places of arrays' elements are one place, `data.products[].id`. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

export function shapeOf(document: unknown): Shape {
  const shape = new Map<string, Set<string>>();
  walk(document, '', (place, value) => {
    const kinds = shape.get(place) ?? new Set<string>();
    shape.set(place, kinds.add(kindOf(value)));
  });
  return shape;
}

/** The plain values of a document by their exact place, `data.products[3].id`. */
export function valuesOf(document: unknown): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  walk(
    document,
    '',
    (place, value) => {
      if (typeof value !== 'object' || value === null) values.set(place, JSON.stringify(value) ?? 'nothing');
    },
    (index) => `[${index}]`,
  );
  return values;
}

function walk(
  value: unknown,
  place: string,
  visit: (place: string, value: unknown) => void,
  step: (index: number) => string = () => '[]',
): void {
  visit(place === '' ? '$' : place, value);
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) walk(element, place + step(index), visit, step);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      walk(inner, place === '' ? name : `${place}.${name}`, visit, step);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
