import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** Line number of the start of its text, from 1. */
  readonly line: number;
}

/** A command line of a page. */
export interface DocCommand {
  readonly file: string;
  readonly line: number;
  /** Without its comment; joins lines that a backslash continues. */
  readonly text: string;
  /** The block of language `text` right after a block with only this command: the command's output. */
  readonly output: Block | undefined;
}

export function readPage(file: string): string {
  return readFileSync(resolve(ROOT, file), 'utf8');
}

/** Returns the fenced blocks of a page, in order. */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = page.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const fence = /^```(\w*)$/.exec(lines[index] ?? '');
    if (fence === null) continue;
    const end = lines.indexOf('```', index + 1);
    if (end === -1) throw new Error(`line ${index + 1}: the block has no end`);
    const text = lines.slice(index + 1, end).join('\n');
    blocks.push({ language: fence[1] ?? '', text, line: index + 2 });
    index = end;
  }
  return blocks;
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'fish', 'powershell', 'console']);

/** Returns the command lines of a page: first those in shell blocks, then those in its text. */
export function commandsOf(file: string): readonly DocCommand[] {
  const page = readPage(file);
  const inText = commandsInText(page).map((command) => ({ ...command, file, output: undefined }));
  return [...commandsInBlocks(file, page), ...inText];
}

function commandsInBlocks(file: string, page: string): readonly DocCommand[] {
  const blocks = blocksOf(page);
  return blocks.flatMap((block, index) => {
    if (!SHELLS.has(block.language)) return [];
    const commands = commandLines(block);
    const next = blocks[index + 1];
    const isOutput = next?.language === 'text' && betweenBlocks(page, block, next).trim() === '';
    return commands.map(({ text, line }) => ({
      file,
      line,
      text,
      output: isOutput && commands.length === 1 ? next : undefined,
    }));
  });
}

/** Returns commands of more than one word: in a table's `command` column, and lines with a pipe anywhere. */
export function commandsInText(page: string): readonly { readonly text: string; readonly line: number }[] {
  let column = -1;
  let isBlock = false;
  return page.split('\n').flatMap((row, index) => {
    if (row.startsWith('```')) isBlock = !isBlock;
    if (isBlock) return [];
    const cells = row.startsWith('|')
      ? row.replace(/`[^`]*`/g, (code) => code.replaceAll('|', '\0')).split('|')
      : [];
    if (cells.length === 0) column = -1;
    else if (column === -1) column = cells.findIndex((cell) => cell.trim() === 'command');
    const isCommand = (code: string) => code.includes(' | ') || code.startsWith('source <(');
    const found = [
      ...codesOf(cells[column] ?? '').filter((code) => code.includes(' ')),
      ...codesOf(cells.length === 0 ? row : '').filter(isCommand),
    ];
    return found.map((text) => ({ text, line: index + 1 }));
  });
}

function codesOf(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll('\0', '|'));
}

function betweenBlocks(page: string, first: Block, second: Block): string {
  const end = first.line - 1 + first.text.split('\n').length + 1;
  return page
    .split('\n')
    .slice(end, second.line - 2)
    .join('\n');
}

function commandLines({ text, line }: Block): readonly { readonly text: string; readonly line: number }[] {
  const found: { text: string; line: number }[] = [];
  let open = '';
  let start = line;
  for (const [index, each] of text.split('\n').entries()) {
    if (open === '') start = line + index;
    if (each.endsWith('\\')) {
      open += `${each.slice(0, -1).trim()} `;
      continue;
    }
    const whole = (open + withoutComment(each)).trim();
    open = '';
    if (whole !== '') found.push({ text: whole, line: start });
  }
  return found;
}

/** A comment starts with a # after white space, outside quotes. */
function withoutComment(line: string): string {
  let quote = '';
  for (let index = 0; index < line.length; index++) {
    const character = line[index] as string;
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === '#' && (index === 0 || /\s/.test(line[index - 1] as string)))
      return line.slice(0, index);
  }
  return line;
}

/** Splits a command line like a shell: quotes, and backslashes outside single quotes. No expansion. */
export function shellArguments(text: string): readonly string[] {
  const args: string[] = [];
  const pattern = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/g;
  let arg: string | undefined;
  for (const [, single, double, escaped, plain, space] of text.matchAll(pattern)) {
    if (space !== undefined) {
      if (arg !== undefined) args.push(arg);
      arg = undefined;
      continue;
    }
    arg = (arg ?? '') + (single ?? double?.replace(/\\(.)/g, '$1') ?? escaped ?? plain ?? '');
  }
  return arg === undefined ? args : [...args, arg];
}
