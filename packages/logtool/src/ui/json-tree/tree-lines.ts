import { stripSgrText } from '../../domain/ansi.ts';
import type { LineField, StructuredLine } from '../../domain/structured/structured-line.ts';

/** One line of the tree. */
export interface TreeLine {
  /** Identifies the line: the keys and indexes that lead to it. */
  readonly id: string;
  readonly depth: number;
  /** Key or index. */
  readonly label: string;
  readonly kind: 'text' | 'number' | 'literal' | 'object' | 'list' | 'more';
  /** The text shown, cut if it is long. */
  readonly text: string;
  /** The whole value as text, for copying. */
  readonly value: string;
  readonly isOpen?: boolean;
  /** Filter for this value; absent if filters cannot express it. */
  readonly filter?: { readonly path: string; readonly value: string };
  /**
   * Key and value as written in the line, for a search; set for lines that are not JSON, which filters do not
   * cover.
   */
  readonly written?: string;
  /** The value as a search finds it in any line; absent if lines may write it in several ways. */
  readonly sought?: string;
  /** Path of the value as a column; absent inside lists, which have several values. */
  readonly column?: string;
}

/** A field of a line, reduced to what its actions need. */
export type Field = Pick<TreeLine, 'label' | 'value' | 'filter' | 'written' | 'sought' | 'column'>;

/** Strings in `value` that start with `numberMark` are numbers in their original form. */
export interface ParsedObject {
  readonly value: object;
  readonly numberMark: string;
}
export type ParsedLine = ParsedObject | { readonly fault: string };

/** The page does not parse longer lines. */
const LIMIT_CHARS = 1_000_000;
const SHOWN_CHARS = 2_000;
const LABEL_CHARS = 200;
/** Maximum number of values shown at first per object or list, and of lines per tree. */
const SHOWN_ITEMS = 200;
const LIMIT_LINES = 2_000;
const LIMIT_DEPTH = 64;
/** Limit of a link: read-console-url.ts drops longer values. */
const LIMIT_FILTER_CHARS = 1_500;
/** Links cannot hold a longer path. */
const LIMIT_PATH_CHARS = 300;
/** Objects and lists up to this size are open at first. */
const SMALL_ITEMS = 8;

/** Parses a line as a JSON object, with exact numbers. Keys are own properties, whatever their names. */
export function parseTreeLine(line: string): ParsedLine {
  if (line.length > LIMIT_CHARS)
    return { fault: 'This line is too long to show as a tree. Copy it to get all of it.' };
  const { text } = stripSgrText(line);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return { fault: 'This line is not a JSON object.' };
    const numberMark = `${Math.random()}#`;
    return { value: JSON.parse(markNumbers(text, numberMark)) as object, numberMark };
  } catch {
    return { fault: 'This line starts like JSON but is not valid JSON.' };
  }
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Replaces numbers that JavaScript would write differently by strings with an unpredictable mark. */
function markNumbers(json: string, mark: string): string {
  return json.replace(STRING_OR_NUMBER, (each) =>
    each.startsWith('"') || String(Number(each)) === each ? each : `"${mark}${each}"`,
  );
}

interface TreePosition {
  readonly id: string;
  readonly depth: number;
  readonly label: string;
  /** Undefined: no filter can name it. */
  readonly path: string | undefined;
  readonly isInList: boolean;
}

/** Returns the lines of the tree. `toggled`: ids of lines whose open state differs from their initial one. */
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

function addChildren(tree: Tree, parent: object, at: TreePosition): void {
  const { lines, toggled } = tree;
  const isList = Array.isArray(parent);
  const keys = Object.keys(parent);
  const more = `${at.id}/…`;
  const shown = toggled.has(more) ? keys.length : SHOWN_ITEMS;
  for (const key of keys.slice(0, shown)) {
    if (lines.length >= LIMIT_LINES) return;
    // Filters match each item of a list.
    const path = isList ? at.path : childPath(at.path, key);
    const position: TreePosition = {
      id: `${at.id}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      depth: at.depth + 1,
      label: isList ? `[${key}]` : key,
      path,
      isInList: at.isInList || isList,
    };
    addValue(tree, (parent as Record<string, unknown>)[key], position);
  }
  const hidden = keys.length - shown;
  if (hidden <= 0) return;
  const text = `${hidden.toLocaleString('en')} more`;
  lines.push({ id: more, depth: at.depth + 1, label: '…', kind: 'more', text, value: '', isOpen: false });
}

function addValue(tree: Tree, value: unknown, position: TreePosition): void {
  if (typeof value === 'object' && value !== null) addParent(tree, value, position);
  else
    tree.lines.push({
      ...lineAt(position),
      ...scalar(tree.mark, value),
      ...filterOf(tree.mark, value, position),
    });
}

/** Adds an object or a list: one line, plus its children if it is open. */
function addParent(tree: Tree, value: object, position: TreePosition): void {
  const isList = Array.isArray(value);
  const size = Object.keys(value).length;
  const canOpen = size > 0 && position.depth < LIMIT_DEPTH;
  const isOpenAtFirst = position.depth === 0 && size <= SMALL_ITEMS;
  const isOpen = canOpen && tree.toggled.has(position.id) !== isOpenAtFirst;
  const count = size.toLocaleString('en');
  tree.lines.push({
    ...lineAt(position),
    kind: isList ? 'list' : 'object',
    text: isList ? `[${count}]` : `{${count}}`,
    value: jsonText(value, tree.mark),
    ...(canOpen ? { isOpen } : {}),
  });
  if (isOpen) addChildren(tree, value, position);
}

/** Returns what every line has, whatever its position and value. */
function lineAt({
  id,
  depth,
  label,
  path,
  isInList,
}: TreePosition): Pick<TreeLine, 'id' | 'depth' | 'label' | 'column'> {
  const column = path === undefined || path === '' || isInList ? {} : { column: path };
  return { id, depth, label: shorten(label, LABEL_CHARS), ...column };
}

function scalar(mark: string, value: unknown): Pick<TreeLine, 'kind' | 'text' | 'value' | 'sought'> {
  const written = writtenAs(mark, value);
  const kind = kindOf(mark, value);
  const sought = kind === 'literal' ? {} : soughtOf(written);
  return { kind, text: shorten(written, SHOWN_CHARS), value: written, ...sought };
}

const MIN_SOUGHT_CHARS = 3;
const MAX_SOUGHT_CHARS = 200;

/** Values that are too short occur in every line, and formats write some characters differently. */
function soughtOf(value: string): Pick<TreeLine, 'sought'> {
  if (value.length < MIN_SOUGHT_CHARS || value.length > MAX_SOUGHT_CHARS || /["\\\p{C}]/u.test(value))
    return {};
  return { sought: value };
}

/** Returns the fields of a line that is not JSON, as lines without children. */
export function fieldLines(line: string, { fields, hidden }: StructuredLine): readonly TreeLine[] {
  return [...fields, ...hidden].map((field, at) => ({
    id: `/${at}`,
    depth: 0,
    kind: 'text',
    text: shorten(field.value, SHOWN_CHARS),
    ...fieldOfText(line, field),
  }));
}

/** Returns the actions for a field of a line that is not JSON. */
function fieldOfText(line: string, { key, value, start, end }: LineField): Field {
  const canFilter = isPath(key) && value.length <= LIMIT_FILTER_CHARS;
  return {
    label: shorten(key, LABEL_CHARS),
    value,
    ...(canFilter ? { filter: { path: key, value } } : { written: line.slice(start, end) }),
    ...soughtOf(value),
    ...(isPath(key) ? { column: key } : {}),
  };
}

/** Returns the actions for a field that a row shows. `isJson`: the line is one JSON object. */
export function fieldOf(line: string, field: LineField, isJson: boolean): Field {
  if (!isJson) return fieldOfText(line, field);
  const { key, value, end } = field;
  const isText = line[end - 1] === '"';
  const isScalar = isText || !/^[[{]/.test(value);
  const canFilter = isScalar && isPath(key) && value.length <= LIMIT_FILTER_CHARS;
  return {
    label: shorten(key, LABEL_CHARS),
    value,
    ...(canFilter ? { filter: { path: key, value } } : {}),
    ...(isText || (isScalar && /\d/.test(value)) ? soughtOf(value) : {}),
    ...(isPath(key) ? { column: key } : {}),
  };
}

/** Whether filters and columns can address a field by its path; links cannot hold some names. */
function isPath(path: string): boolean {
  return path.length <= LIMIT_PATH_CHARS && !/=|^!|^\.|\.\.|\.$|^$/.test(path);
}

function kindOf(mark: string, value: unknown): TreeLine['kind'] {
  if (typeof value === 'string') return value.startsWith(mark) ? 'number' : 'text';
  return typeof value === 'number' ? 'number' : 'literal';
}

/** Returns a value as written in the line; a marked number in its original form. */
function writtenAs(mark: string, value: unknown): string {
  const isMarked = typeof value === 'string' && value.startsWith(mark);
  return isMarked ? value.slice(mark.length) : String(value);
}

function filterOf(mark: string, value: unknown, { path }: TreePosition): Pick<TreeLine, 'filter'> {
  const written = writtenAs(mark, value);
  if (path === undefined || path === '' || written.length > LIMIT_FILTER_CHARS) return {};
  return { filter: { path, value: written } };
}

/** Returns the path by which filters and columns address a key; links cannot hold some names. */
function childPath(parent: string | undefined, key: string): string | undefined {
  if (parent === undefined || key === '' || key.includes('=') || key.length > LIMIT_PATH_CHARS)
    return undefined;
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
    return 'nested too deeply to copy from here';
  }
}
