import { stripSgrText } from '../../domain/ansi.ts';

/** One line of the tree. */
export interface TreeLine {
  /** Names the line among the others: keys and indexes down to it. */
  readonly id: string;
  readonly depth: number;
  /** Key or index. */
  readonly label: string;
  readonly kind: 'text' | 'number' | 'literal' | 'object' | 'list' | 'more';
  /** What is shown: cut when it is long. */
  readonly text: string;
  /** Whole value as text, for copying. */
  readonly value: string;
  readonly isOpen?: boolean;
  /** Filter of this value: absent where filters cannot say it. */
  readonly filter?: { readonly path: string; readonly value: string };
  /** Path of the value as a column; absent inside of lists, which have no single value. */
  readonly column?: string;
}

/** Texts of `value` that begin with `numberMark` are numbers, as they are written. */
export interface ParsedObject {
  readonly value: object;
  readonly numberMark: string;
}
export type ParsedLine = ParsedObject | { readonly fault: string };

/** A longer line is not taken apart on the page. */
const LIMIT_CHARS = 1_000_000;
const SHOWN_CHARS = 2_000;
/** Values of one object or list that are shown at first, and all lines of a tree. */
const SHOWN_ITEMS = 200;
const LIMIT_LINES = 2_000;
const LIMIT_DEPTH = 64;
/** What a link takes: read-console-url.ts drops longer ones. */
const LIMIT_FILTER_CHARS = 1_500;
/** Objects and lists as small as this are open at first. */
const SMALL_ITEMS = 8;

/** The object that a line is, its numbers unrounded. Keys are own properties, whatever they are called. */
export function parseTreeLine(line: string): ParsedLine {
  if (line.length > LIMIT_CHARS)
    return { fault: 'This line is too long to be shown as a tree. Copying it gives all of it.' };
  const { text } = stripSgrText(line);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return { fault: 'This line is no JSON object.' };
    const numberMark = `${Math.random()}#`;
    return { value: JSON.parse(markNumbers(text, numberMark)) as object, numberMark };
  } catch {
    return { fault: 'This line begins like JSON, but it is none.' };
  }
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Numbers that JavaScript would write differently become texts with a mark that nobody could have foreseen. */
function markNumbers(json: string, mark: string): string {
  return json.replace(STRING_OR_NUMBER, (each) =>
    each.startsWith('"') || String(Number(each)) === each ? each : `"${mark}${each}"`,
  );
}

interface Place {
  readonly id: string;
  readonly depth: number;
  readonly label: string;
  /** undefined: no filter can name it. */
  readonly path: string | undefined;
  readonly isInList: boolean;
}

/** `toggled`: ids of lines that are the other way round than at first. */
export function treeLines(parsed: ParsedObject, toggled: ReadonlySet<string>): readonly TreeLine[] {
  const tree: Tree = { lines: [], mark: parsed.numberMark, toggled };
  addChildren(tree, parsed.value, { id: '', depth: -1, label: '', path: '', isInList: false });
  return tree.lines;
}

interface Tree {
  readonly lines: TreeLine[];
  readonly mark: string;
  readonly toggled: ReadonlySet<string>;
}

function addChildren(tree: Tree, parent: object, at: Place): void {
  const { lines, toggled } = tree;
  const isList = Array.isArray(parent);
  const keys = Object.keys(parent);
  const more = `${at.id}/…`;
  const shown = toggled.has(more) ? keys.length : SHOWN_ITEMS;
  for (const key of keys.slice(0, shown)) {
    if (lines.length >= LIMIT_LINES) return;
    // Of a list the filters look at each item.
    const path = isList ? at.path : childPath(at.path, key);
    const place: Place = {
      id: `${at.id}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      depth: at.depth + 1,
      label: isList ? `[${key}]` : key,
      path,
      isInList: at.isInList || isList,
    };
    addValue(tree, (parent as Record<string, unknown>)[key], place);
  }
  const hidden = keys.length - shown;
  if (hidden <= 0) return;
  const text = `${hidden.toLocaleString('en')} more`;
  lines.push({ id: more, depth: at.depth + 1, label: '…', kind: 'more', text, value: '', isOpen: false });
}

function addValue({ lines, mark, toggled }: Tree, value: unknown, place: Place): void {
  const { id, depth, label, path } = place;
  const own = { id, depth, label: shorten(label, 200) };
  const column = path === undefined || path === '' || place.isInList ? {} : { column: path };
  if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    const size = Object.keys(value).length;
    const canOpen = size > 0 && depth < LIMIT_DEPTH;
    const isOpen = canOpen && toggled.has(id) !== (depth === 0 && size <= SMALL_ITEMS);
    const text = isList ? `[${size.toLocaleString('en')}]` : `{${size.toLocaleString('en')}}`;
    lines.push({
      ...own,
      ...column,
      kind: isList ? 'list' : 'object',
      text,
      value: jsonText(value, mark),
      ...(canOpen ? { isOpen } : {}),
    });
    if (isOpen) addChildren({ lines, mark, toggled }, value, place);
    return;
  }
  const isMarked = typeof value === 'string' && value.startsWith(mark);
  const written = isMarked ? value.slice(mark.length) : String(value);
  const isText = typeof value === 'string' && !isMarked;
  const isNumber = typeof value === 'number' || isMarked;
  lines.push({
    ...own,
    ...column,
    kind: isText ? 'text' : isNumber ? 'number' : 'literal',
    text: shorten(written, SHOWN_CHARS),
    value: written,
    ...(path === undefined || path === '' || written.length > LIMIT_FILTER_CHARS
      ? {}
      : { filter: { path, value: written } }),
  });
}

/** The path that filters and columns know a key by. Some names cannot be said in a link. */
function childPath(parent: string | undefined, key: string): string | undefined {
  if (parent === undefined || key === '' || key.includes('=') || key.length > 300) return undefined;
  if (parent === '') return key.startsWith('!') ? undefined : key;
  return `${parent}.${key}`;
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function jsonText(value: object, mark: string): string {
  try {
    return JSON.stringify(value).replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
  } catch {
    return 'too deeply nested to be copied from here';
  }
}
