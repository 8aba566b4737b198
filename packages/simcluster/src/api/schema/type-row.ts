import { ANY, type Field, type Scalar, type Shape, type StructShape } from './shape.ts';

/*
 * One row is one type, with its fields separated by blanks. A leading `@` means that the type is owned as a whole.
 * `ports:6{containerPort,protocol}ContainerPort~containerPort` is a field, its number in protobuf, its type and its
 * flags. `&2VolumeSource` is an embedded type. Types: `[T` list owned as a whole, `<T` set, `{keys}T` list with keys,
 * `%T` map, `@%T` map owned as a whole, the letters below, or the name of a type (`meta.ObjectMeta`: in another group).
 * Flags, in this order: `*` pointer, `!` written even if empty, `=text` default, `~key` merged by a strategic merge
 * patch (by that key, if any), `~retainKeys` the patch strategy of that name.
 */
const SCALARS: Readonly<Record<string, Scalar>> = {
  s: 'string',
  i: 'integer',
  f: 'number',
  b: 'boolean',
  y: 'bytes',
  q: 'quantity',
  x: 'int-or-string',
  t: 'time',
  u: 'micro-time',
};

const FIELD = /^([^\s:&]+):(\d+)(\S+?)(\*?)(!?)(?:=([^~\s]+))?((?:~\w*)*)$/;
const EMBEDDED = /^&(\d+)([A-Z]\w*)\*?$/;

/** Reads a row; `resolve` finds the types that it refers to, which may include the type itself. */
export function readRow(name: string, row: string, resolve: (name: string) => StructShape): StructShape {
  const atomic = row.startsWith('@');
  const tokens = (atomic ? row.slice(1) : row).split(' ').filter((token) => token !== '');
  let entries: readonly (Field | Embedded)[] | undefined;
  // Types contain each other (a schema contains its properties), so fields are read on first use.
  const read = () => {
    entries ??= tokens.map((token) => readEntry(token, resolve));
    return entries;
  };
  let fields: ReadonlyMap<string, Field> | undefined;
  let numbered: ReadonlyMap<number, Field | StructShape> | undefined;
  return {
    kind: 'struct',
    name,
    atomic,
    get fields() {
      fields ??= new Map(
        read().flatMap((entry) =>
          'embeds' in entry ? [...entry.embeds.fields] : [[entry.name, entry] as const],
        ),
      );
      return fields;
    },

    get numbered() {
      numbered ??= new Map(
        read().map((entry) => [entry.number, 'embeds' in entry ? entry.embeds : entry] as const),
      );
      return numbered;
    },
  };
}

interface Embedded {
  readonly number: number;
  readonly embeds: StructShape;
}

function readEntry(token: string, resolve: (name: string) => StructShape): Field | Embedded {
  const inner = EMBEDDED.exec(token);
  return inner === null
    ? readField(token, resolve)
    : { number: Number(inner[1]), embeds: resolve(inner[2] ?? '') };
}

function readField(token: string, resolve: (name: string) => StructShape): Field {
  const match = FIELD.exec(token);
  if (match === null) throw new Error(`not a field of a type: ${token}`);
  const [, name = '', number, type = '', pointer, always, defaultText, flags = ''] = match;
  const patch = flags.split('~').slice(1);
  let shape: Shape | undefined;
  return {
    name,
    number: Number(number),
    get shape() {
      shape ??= readType(type, resolve);
      return shape;
    },
    pointer: pointer !== '',
    always: always !== '',
    ...(defaultText === undefined ? {} : { defaultText }),
    ...(patch.length === 0
      ? {}
      : {
          patch: {
            merge: patch.some((strategy) => strategy !== 'retainKeys' && strategy !== 'replace'),
            key: patch.find((strategy) => strategy !== 'retainKeys' && strategy !== 'replace') ?? '',
            retainKeys: patch.includes('retainKeys'),
          },
        }),
  };
}

function readType(type: string, resolve: (name: string) => StructShape): Shape {
  const rest = type.slice(1);
  switch (type[0]) {
    case '[':
      return { kind: 'list', relation: 'atomic', keys: [], items: readType(rest, resolve) };
    case '<':
      return { kind: 'list', relation: 'set', keys: [], items: readType(rest, resolve) };
    case '{': {
      const end = type.indexOf('}');
      const keys = type.slice(1, end).split(',');
      return { kind: 'list', relation: 'map', keys, items: readType(type.slice(end + 1), resolve) };
    }
    case '%':
      return { kind: 'map', atomic: false, values: readType(rest, resolve) };
    case '@':
      return { kind: 'map', atomic: true, values: readType(rest.slice(1), resolve) };
    case 'j':
      if (rest === '') return ANY;
  }
  const scalar = SCALARS[type];
  return scalar === undefined ? resolve(type) : { kind: 'scalar', scalar };
}
