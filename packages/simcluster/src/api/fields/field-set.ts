/**
 * A set of paths into an object, as FieldsV1 writes it (kubernetes.io/docs/reference/using-api/server-side-apply): a
 * tree of path elements `f:name`, `k:{"name":"main"}`, `v:"x"`, `i:0`. `member`: the set contains the path that ends
 * here.
 */
export interface FieldSet {
  readonly member: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
}

export const EMPTY: FieldSet = { member: false, children: new Map() };
export const MEMBER: FieldSet = { member: true, children: new Map() };

export function isEmpty(set: FieldSet): boolean {
  return !set.member && set.children.size === 0;
}

function made(member: boolean, children: Map<string, FieldSet>): FieldSet {
  for (const [element, child] of children) if (isEmpty(child)) children.delete(element);
  return member || children.size > 0 ? { member, children } : EMPTY;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  const children = new Map(a.children);
  for (const [element, child] of b.children) {
    children.set(element, union(children.get(element) ?? EMPTY, child));
  }
  return made(a.member || b.member, children);
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    if (other !== undefined) children.set(element, intersection(child, other));
  }
  return made(a.member && b.member, children);
}

export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a) || isEmpty(b)) return a;
  const children = new Map(a.children);
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    if (other !== undefined) children.set(element, difference(child, other));
  }
  return made(a.member && !b.member, children);
}

export function sameSet(a: FieldSet, b: FieldSet): boolean {
  if (a.member !== b.member || a.children.size !== b.children.size) return false;
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    if (other === undefined || !sameSet(child, other)) return false;
  }
  return true;
}

/** Returns the set of these paths. */
export function setOf(...paths: readonly (readonly string[])[]): FieldSet {
  let set = EMPTY;
  for (const path of paths) {
    let one = MEMBER;
    for (const element of [...path].reverse()) one = { member: false, children: new Map([[element, one]]) };
    set = union(set, one);
  }
  return set;
}

/** Returns all paths of a set, in order. */
export function pathsOf(set: FieldSet, before: readonly string[] = []): readonly (readonly string[])[] {
  return [
    ...(set.member && before.length > 0 ? [before] : []),
    ...inOrder(set.children).flatMap(([element, child]) => pathsOf(child, [...before, element])),
  ];
}

/** Sorts fields first, by name, then items by key and by value. */
function inOrder(children: ReadonlyMap<string, FieldSet>): readonly (readonly [string, FieldSet])[] {
  return [...children].sort(([a], [b]) => compareElements(a, b));
}

function compareElements(a: string, b: string): number {
  if (a[0] !== b[0]) return 'fkvi'.indexOf(a[0] ?? '') - 'fkvi'.indexOf(b[0] ?? '');
  if (a.startsWith('i:')) return Number(a.slice(2)) - Number(b.slice(2));
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Returns the set as `fieldsV1` of a managedFields entry. */
export function toFieldsV1(set: FieldSet): Record<string, unknown> {
  const json: [string, unknown][] = set.member && set.children.size > 0 ? [['.', {}]] : [];
  for (const [element, child] of inOrder(set.children)) json.push([element, toFieldsV1(child)]);
  return Object.fromEntries(json);
}

/**
 * Parses FieldsV1.
 * @throws TypeError if the value is not FieldsV1
 */
export function fromFieldsV1(json: unknown): FieldSet {
  const { '.': own, ...children } = asObject(json);
  const root = new Map<string, FieldSet>();
  for (const [element, inner] of Object.entries(children)) {
    if (!/^[fkvi]:/.test(element)) throw new TypeError(`not an element of a path: ${element}`);
    const child = fromFieldsV1(inner);
    const leaf = Object.keys(asObject(inner)).length === 0;
    root.set(canonical(element), { member: leaf || child.member, children: child.children });
  }
  return { member: own !== undefined, children: root };
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('fieldsV1 is not an object');
  }
  return value as Record<string, unknown>;
}

/** Orders a key's fields; their writer may have used another order. */
function canonical(element: string): string {
  if (!element.startsWith('k:')) return element;
  const key: unknown = JSON.parse(element.slice(2));
  return keyElement(asObject(key));
}

/** Returns the path element of a list item with these key fields. */
export function keyElement(key: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1));
  return `k:${goJsonText(Object.fromEntries(sorted))}`;
}

export function valueElement(value: unknown): string {
  return `v:${goJsonText(value)}`;
}

export function fieldElement(name: string): string {
  return `f:${name}`;
}

/** Formats a path for people: `.spec.containers[name="main"].image`. */
export function pathText(path: readonly string[]): string {
  return path
    .map((element) => {
      const rest = element.slice(2);
      if (element.startsWith('f:')) return `.${rest}`;
      if (element.startsWith('v:')) return `[=${rest}]`;
      if (element.startsWith('i:')) return `[${rest}]`;
      const key = JSON.parse(rest) as Record<string, unknown>;
      return `[${Object.entries(key)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(',')}]`;
    })
    .join('');
}

/** Returns JSON without blanks and with sorted keys, as Go writes it into a path element. */
function goJsonText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
