/** Output and status of a command that takes no time. Text is latin1: one character a byte. */
export interface Outcome {
  readonly out: string;
  readonly status: number;
  readonly err?: string;
}

export interface CommandInput {
  readonly args: readonly string[];
  /** What a pipe brings; empty without one. */
  readonly input: string;
  readonly files: Map<string, string>;
  readonly nowMs: number;
}

/** What a command may not exceed: a script of a test needs no more, and memory has an end. */
const MOST_BYTES = 32 * 1024 * 1024;

type Builtin = (input: CommandInput) => Outcome;

function said(out: string): Outcome {
  return { out, status: 0 };
}

const echo: Builtin = ({ args }) => {
  let newline = true;
  let escapes = false;
  let at = 0;
  for (; /^-[neE]+$/.test(args[at] ?? ''); at++) {
    const flags = args[at] ?? '';
    if (flags.includes('n')) newline = false;
    if (flags.includes('e')) escapes = true;
  }
  const text = args.slice(at).join(' ');
  return said((escapes ? unescaped(text) : text) + (newline ? '\n' : ''));
};

const printf: Builtin = ({ args }) => {
  const format = unescaped(args[0] ?? '');
  const values = args.slice(1);
  let out = '';
  let used = 0;
  do {
    const before = used;
    out += format.replace(
      /%(-?)(0?)(\d*|\*)(?:\.(\d+))?([sdixXcb%])/g,
      (_all, left: string, zero: string, width: string, precision: string | undefined, type: string) => {
        if (type === '%') return '%';
        const size = width === '*' ? Number(values[used++] ?? 0) : Number(width);
        const value = values[used++] ?? '';
        return padded(
          formatted(value, type, precision),
          Math.min(size, MOST_BYTES),
          left === '-',
          zero === '0' && type !== 's',
        );
      },
    );
    if (used === before) break;
  } while (used < values.length && out.length < MOST_BYTES);
  return said(out);
};

function formatted(value: string, type: string, precision: string | undefined): string {
  if (type === 's') return precision === undefined ? value : value.slice(0, Number(precision));
  if (type === 'b') return unescaped(value);
  if (type === 'c') return value.slice(0, 1);
  const number = Math.trunc(Number(value) || 0);
  if (type === 'x') return number.toString(16);
  return type === 'X' ? number.toString(16).toUpperCase() : String(number);
}

function padded(text: string, size: number, left: boolean, zero: boolean): string {
  return left ? text.padEnd(size) : text.padStart(size, zero ? '0' : ' ');
}

const seq: Builtin = ({ args }) => {
  const numbers = args.map(Number);
  const [first, step, last] =
    numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  if (
    first === undefined ||
    step === undefined ||
    last === undefined ||
    step === 0 ||
    numbers.some(Number.isNaN)
  ) {
    return { out: '', status: 1, err: 'seq: bad number\n' };
  }
  const lines: string[] = [];
  for (let n = first; step > 0 ? n <= last : n >= last; n += step) {
    lines.push(`${n}\n`);
    if (lines.length > 5_000_000) break;
  }
  return said(lines.join(''));
};

const head: Builtin = ({ args, input, files }) => {
  const bytes = /^-c *(\d+)$/.exec(args.slice(0, args[0] === '-c' ? 2 : 1).join(' '));
  const lines = /^-n? *(\d+)$/.exec(args.slice(0, args[0] === '-n' ? 2 : 1).join(' '));
  const last = args.at(-1) ?? '';
  if (bytes !== null) {
    const count = Math.min(Number(bytes[1]), MOST_BYTES);
    if (last === '/dev/zero') return said('\0'.repeat(count));
    return said((files.get(last) ?? input).slice(0, count));
  }
  const count = Number(lines?.[1] ?? 10);
  return said(
    (files.get(last) ?? input)
      .split('\n')
      .slice(0, count)
      .map((line) => `${line}\n`)
      .join(''),
  );
};

const tr: Builtin = ({ args, input }) => {
  const [from = '', to = ''] = args.map((arg) => characters(unescaped(arg)));
  if (args[0] === '-d') {
    const gone = characters(unescaped(args[1] ?? ''));
    return said([...input].filter((char) => !gone.includes(char)).join(''));
  }
  if (from.length === 1) return said(input.replaceAll(from, to.slice(-1)));
  return said(
    [...input]
      .map((char) => (from.includes(char) ? (to[Math.min(from.indexOf(char), to.length - 1)] ?? '') : char))
      .join(''),
  );
};

function characters(set: string): string {
  return set.replace(/(.)-(.)/gs, (_all, low: string, high: string) => {
    let out = '';
    for (let code = low.charCodeAt(0); code <= high.charCodeAt(0); code++) out += String.fromCharCode(code);
    return out;
  });
}

const cat: Builtin = ({ args, input, files }) => {
  if (args.length === 0 || args[0] === '-') return said(input);
  let out = '';
  for (const file of args) {
    const content = files.get(file);
    if (content === undefined)
      return { out, status: 1, err: `cat: can't open '${file}': No such file or directory\n` };
    out += content;
  }
  return said(out);
};

const touch: Builtin = ({ args, files }) => {
  for (const file of args) if (!file.startsWith('-')) files.set(file, files.get(file) ?? '');
  return said('');
};

const test: Builtin = ({ args, files }) => {
  const words = [...args];
  if (words.at(-1) === ']') words.pop();
  const negated = words[0] === '!';
  if (negated) words.shift();
  return { out: '', status: holds(words, files) === negated ? 1 : 0 };
};

function holds(words: readonly string[], files: Map<string, string>): boolean {
  const [a = '', operator = '', b = ''] = words;
  if (words.length === 1) return a !== '';
  if (words.length === 2) {
    if (a === '-z') return operator === '';
    if (a === '-n') return operator !== '';
    if (a === '-s') return (files.get(operator) ?? '') !== '';
    return ['-f', '-e', '-r', '-d'].includes(a) && files.has(operator);
  }
  switch (operator) {
    case '-lt':
      return Number(a) < Number(b);
    case '-le':
      return Number(a) <= Number(b);
    case '-gt':
      return Number(a) > Number(b);
    case '-ge':
      return Number(a) >= Number(b);
    case '-eq':
      return Number(a) === Number(b);
    case '-ne':
      return Number(a) !== Number(b);
    case '!=':
      return a !== b;
    default:
      return a === b;
  }
}

const base64: Builtin = ({ args, input }) => {
  if (args.includes('-d')) return said(Buffer.from(input, 'base64').toString('latin1'));
  return said(`${Buffer.from(input, 'latin1').toString('base64')}\n`);
};

const date: Builtin = ({ args, nowMs }) => {
  const iso = new Date(nowMs).toISOString();
  if (args.some((arg) => arg.startsWith('+%s'))) return said(`${Math.floor(nowMs / 1000)}\n`);
  return said(`${iso.slice(0, 19)}Z\n`);
};

const nothing: Builtin = () => said('');

/** Commands that take no time. */
export const BUILTINS: Readonly<Record<string, Builtin>> = {
  echo,
  printf,
  seq,
  head,
  tr,
  cat,
  touch,
  test,
  '[': test,
  base64,
  date,
  mkdir: touch,
  true: nothing,
  ':': nothing,
  trap: nothing,
  set: nothing,
  wait: nothing,
  sync: nothing,
  cd: nothing,
  false: () => ({ out: '', status: 1 }),
};

/** Backslash escapes of echo -e, printf and tr. */
export function unescaped(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|[\s\S])/g, (_all, code: string) => {
    if (/^x[0-9a-fA-F]/.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
    const known: Readonly<Record<string, string>> = {
      n: '\n',
      t: '\t',
      r: '\r',
      a: '\u0007',
      b: '\b',
      f: '\f',
      v: '\v',
      e: '\u001b',
      '\\': '\\',
    };
    return known[code] ?? `\\${code}`;
  });
}
