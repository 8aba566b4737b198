import type { CaseTable } from '../case.ts';

const PIECES = [
  '{{',
  '}}',
  '{{-',
  '-}}',
  ' ',
  '\n',
  '  ',
  '.',
  '.Values',
  '.Values.map',
  '.a',
  '.text',

  '$x',
  ':=',
  '=',
  ',',
  '|',
  '(',
  ')',
  '"s"',
  '`r`',
  "'c'",
  '1',
  '-2',
  '1.5',
  '0x1F',
  'true',
  'nil',
  '"',
  '`',
  '\\',
  'é',
  '!',
  '#',
  'if ',
  'else',
  'end',
  'range ',
  'with ',
  'define "d"',
  'template "d" .',
  'block "d" .',
  'break',
  'continue',
  'print',
  'printf "%v"',
  'len',
  'index',
  'eq',
  'and',
  'or',
  'not',
  'include "d" .',
  'tpl "x" .',
  '/*',
  '*/',
  'text',
  '{{ end }}',
  '{{ else }}',
  '{{ .Values.text }}',
  '{{ if 1 }}',
  '{{ range .Values.list }}',
];

/** None is the whole scope: Go prints addresses in it. */
const OPERANDS = [
  '.Values.text',
  '.Values.int',
  '.Values.list',
  '.Values.map',
  '.Values.nope',
  '.Values.map.a',
  '.Values.map.c.d',
  '.Values.nope.x',
  '1',
  '"a"',
  'nil',
  'true',
  '1.5',
  '.Values.people',
  '.Values.mixed',
  '(.Values.nope)',
  '(len "ab")',
  '.name',
  '$v',
  '.Values.nothing',
  '.Values.numbers',
  '.Values.unicode',
  '$.Values.nested',
];

/** None goes over a map in Go's own order, which is another one each time. */
const FUNCTIONS = [
  'print',
  'printf "%v-%s"',
  'printf "%d"',
  'len',
  'index',
  'eq',
  'ne',
  'lt',
  'and',
  'or',
  'not',
  'html',
  'slice',
  'toYaml',
  'toJson',
  'default',
  'quote',
  'upper',
  'trim',
  'first',
  'list',
  'dict',
  'get',
  'hasKey',
  'int',
  'add',
  'ternary',
  'join ","',
  'has',
  'empty',
  'coalesce',
  'kindOf',
  'typeOf',
  'tpl',
  'include',
  'fromYaml',
  'dig "a" "b"',
  'pluck',
  'merge',
  'trunc 2',
  'indent 2',
  'splitList ","',
  'reverse',
  'uniq',
  'last',
];

/** Numbers below a bound, the same ones on every run (https://en.wikipedia.org/wiki/Xorshift). */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(bound: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % bound;
  }

  pick(from: readonly string[]): string {
    return from[this.below(from.length)]!;
  }
}

function pieces(dice: Dice): string {
  const separator = dice.below(3) === 0 ? ' ' : '';
  const text = Array.from({ length: 1 + dice.below(12) }, () => dice.pick(PIECES)).join(separator);
  return dice.below(2) === 0 ? `{{ ${text} }}` : text;
}

function operand(dice: Dice, depth: number): string {
  const kind = dice.below(10);
  if (depth === 0 || kind < 6) return dice.pick(OPERANDS);
  if (kind < 8) return `(${call(dice, depth - 1)})`;
  if (kind < 9) return `(${call(dice, depth - 1)})${dice.pick(['.a', '.b.c', '.name'])}`;
  return `(${dice.pick(OPERANDS)})${dice.pick(['.a', '.b.c'])}`;
}

function call(dice: Dice, depth: number): string {
  const args = Array.from({ length: dice.below(4) }, () => operand(dice, depth));
  const main = dice.below(8) === 0 ? operand(dice, depth) : [dice.pick(FUNCTIONS), ...args].join(' ');
  return dice.below(4) === 0 ? `${main} | ${dice.pick(FUNCTIONS)}` : main;
}

function statement(dice: Dice, depth: number): string {
  const kind = dice.below(12);
  if (kind < 5 || depth === 0) return `{{ ${call(dice, 2)} }}`;
  if (kind < 6) return dice.pick(['text', '\n', ' x\n  ', '']);
  if (kind < 7) return `{{ $v ${dice.pick([':=', '='])} ${call(dice, 1)} }}`;
  const inner = body(dice, depth - 1);
  if (kind < 8) {
    return `{{${dice.pick(['', '-'])} if ${call(dice, 1)} }}${inner}{{ else }}${body(dice, depth - 1)}{{ end }}`;
  }
  if (kind < 9) return `{{ with ${call(dice, 1)} }}${inner}{{ end }}`;
  if (kind < 11) {
    const jump = dice.pick(['', '{{ break }}', '{{ if true }}{{ continue }}{{ end }}']);
    return `{{ range ${dice.pick(['', '$i, $v := ', '$v := '])}${call(dice, 1)} }}${inner}${jump}{{ else }}none{{ end }}`;
  }
  return `{{ template "t" ${dice.pick(OPERANDS)} }}`;
}

function body(dice: Dice, depth: number): string {
  return Array.from({ length: 1 + dice.below(3) }, () => statement(dice, depth)).join('');
}

const EACH = 500;

/**
 * Templates put together at random: of pieces that mostly do not fit, and of actions that do. Only for the helm that
 * our engine is modeled on: older ones word errors differently, and range over fewer things.
 */
export const RANDOM: CaseTable = Array.from({ length: EACH }, (_, at) => [
  pieces(new Dice(at * 2654435761 + 1)),
  `{{ define "t${at}" }}T{{ end }}{{ $v := 1 }}${body(new Dice(at * 40503 + 7), 2)}`.replaceAll(
    '"t"',
    `"t${at}"`,
  ),
])
  .flat()
  .map((template) => ({ template, only: ['4.1.4'] }));
