import { promisify } from 'node:util';
import { deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib';

export type Column = Uint8Array | Uint16Array | Int32Array | Float64Array;

const types = { u1: Uint8Array, u2: Uint16Array, i4: Int32Array, f8: Float64Array } as const;
type TypeName = keyof typeof types;

/** The type and the length of each column. */
export type Layout = readonly (readonly [TypeName, number])[];

const deflate = promisify<Buffer, { level: number }, Buffer>(deflateRaw);

/**
 * Columns of numbers as bytes, each in the narrowest type that holds it, deflated beside what this thread does; with them a header
 * of one's own. What the columns hold when it is called is what is packed.
 */
export function packColumns(header: object, columns: readonly Column[]): Promise<Buffer> {
  const narrow = columns.map(narrowest);
  const layout: Layout = narrow.map((column) => [nameOf(column), column.length]);
  const told = Buffer.from(JSON.stringify({ ...header, layout }));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(told.length);
  const bytes = narrow.map((column) => Buffer.from(column.buffer, column.byteOffset, column.byteLength));
  return deflate(Buffer.concat([size, told, ...bytes]), { level: 1 });
}

/** `layoutOf`: where a header does not tell the layout. */
export function unpackColumns<Header>(
  packed: Buffer,
  layoutOf?: (header: Header) => Layout,
): { readonly header: Header; readonly columns: readonly Column[] } {
  const bytes = ahead.get(packed) ?? inflateRawSync(packed, inOnePiece(packed));
  ahead.delete(packed);
  let offset = 4 + bytes.readUInt32LE(0);
  const header = JSON.parse(bytes.toString('utf8', 4, offset)) as Header & { readonly layout?: Layout };
  const columns = (header.layout ?? layoutOf!(header)).map(([name, length]) => {
    const type = types[name];
    const end = offset + length * type.BYTES_PER_ELEMENT;
    // Copied, because columns of numbers must begin at a multiple of their size.
    const column = new type(Uint8Array.prototype.slice.call(bytes, offset, end).buffer);
    offset = end;
    return column;
  });
  return { header, columns };
}

/** Inflated already, until they are unpacked. */
const ahead = new WeakMap<Buffer, Buffer>();

/** Begins to inflate what will be unpacked soon, beside what this thread does or waits for. */
export function inflateAhead(packed: Buffer): void {
  inflateRaw(packed, inOnePiece(packed), (error, bytes) => {
    if (!error) ahead.set(packed, bytes);
  });
}

/** Mostly: joining many pieces costs more than the room. */
const inOnePiece = ({ length }: Buffer) => ({ chunkSize: Math.max(65_536, length * 8) });

function narrowest(column: Column): Column {
  let [least, most] = [0, 0];
  for (let i = 0; i < column.length; i++) {
    const value = column[i]!;
    if ((value | 0) !== value) return column instanceof Float64Array ? column : Float64Array.from(column);
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  if (least < 0 || most >= 2 ** 16) return column instanceof Int32Array ? column : Int32Array.from(column);
  return most < 2 ** 8 ? new Uint8Array(column) : new Uint16Array(column);
}

const nameOf = (column: Column): TypeName =>
  (Object.keys(types) as TypeName[]).find((name) => column instanceof types[name])!;
