import type { CaseTable } from '../case.ts';
import { ANYTHING, combine } from '../combine.ts';

const ONE = ['first', 'last', 'rest', 'initial', 'reverse', 'compact', 'uniq'];
const MUST = ONE.map((name) => `must${name[0]!.toUpperCase()}${name.slice(1)}`);
const LISTS = [
  '(list)',
  '(list 1)',
  '(list 1 "a" nil 2.5 1)',
  '.Values.mixed',
  '.Values.list',
  '(until 4)',
  '(splitList "," "x,y,x")',
  '(list (list 1 2) (list 1 2) (dict "a" 1) (dict "a" 1))',
  '.Values.emptyList',
];

/** Lists, by Sprig's documentation of them. */
export const SPRIG_LISTS: CaseTable = [
  '{{ list }}|{{ tuple }}|{{ list 1 "a" nil true 2.5 }}|{{ tuple 1 2 | toJson }}',
  ...combine('{{ F X | toJson }}', { F: ONE, X: LISTS }),
  ...combine('{{ F X | toJson }}', { F: MUST, X: LISTS.slice(2, 6) }),
  ...combine('{{ F X }}', {
    F: ONE,
    X: ['.Values.text', '.Values.int', 'nil', '.Values.nothing', '.Values.map', '1', 'true', '""'],
  }),
  ...combine('{{ F X }}', { F: MUST, X: ['.Values.text', 'nil', '.Values.map'] }),
  ...combine('{{ printf "%T" (F X) }}', {
    F: ['first', 'rest', 'reverse', 'compact', 'uniq', 'slice'],
    X: ['(until 3)', '(splitList "," "a,b")', '(list)'],
  }),
  ...combine('{{ F X Y | toJson }}', {
    F: ['append', 'push', 'prepend', 'mustAppend', 'mustPush', 'mustPrepend'],
    X: ['(list)', '.Values.list', '(until 2)'],
    Y: ['1', 'nil', '"z"', '.Values.map'],
  }),
  ...combine('{{ F X 1 }}', {
    F: ['append', 'push', 'prepend', 'mustAppend', 'mustPush', 'mustPrepend'],
    X: ['.Values.text', 'nil', '.Values.map'],
  }),
  '{{ $l := list 1 }}{{ $m := append $l 2 }}{{ $n := append $l 3 }}{{ $l }}{{ $m }}{{ $n }}',
  ...combine('{{ F W X }}', {
    F: ['has', 'mustHas'],
    W: ['1', '"a"', 'nil', '2.5', '(int64 1)', '(list 1 2)', '(float64 1)'],
    X: [
      '(list 1 "a" nil (list 1 2))',
      '.Values.mixed',
      '(until 3)',
      'nil',
      '(splitList "," "a,b")',
      '(list)',
    ],
  }),
  ...combine('{{ F 1 X }}', {
    F: ['has', 'mustHas'],
    X: ['.Values.text', '.Values.map', '.Values.nothing', '3'],
  }),
  ...combine('{{ F X A | toJson }}', {
    F: ['without', 'mustWithout'],
    X: ['(list 1 "a" nil 2.5 1)', '.Values.list', '(until 3)'],
    A: ['1', '"a" nil', '', '2.5 1 "b" 0'],
  }),
  ...combine('{{ F X 1 }}', { F: ['without', 'mustWithout'], X: ['.Values.text', 'nil', '.Values.map'] }),
  ...combine('{{ F X A | toJson }}', {
    F: ['slice', 'mustSlice'],
    X: ['(list 1 2 3 4 5)', '.Values.list', '(until 3)', '(list)'],
    A: ['', '1', '1 2', '0 0', '3 3', '"1" "2"', '1.9 2', '5', '-1', '2 1', '0 9', 'nil nil'],
  }),
  ...combine('{{ F X 1 2 }}', { F: ['slice', 'mustSlice'], X: ['.Values.text', 'nil', '.Values.map', '7'] }),
  ...combine('{{ concat A | toJson }}', {
    A: [
      '',
      '(list)',
      '(list) (list)',
      '(list 1) (list "a" nil)',
      '(until 2) .Values.list',
      '.Values.mixed .Values.mixed',
      '(splitList "," "a,b") (list 1)',
    ],
  }),
  ...combine('{{ concat (list 1) X }}', {
    X: ['nil', '"a"', '.Values.map', '1', '.Values.nothing', '.Values.absent'],
  }),
  ...combine('{{ F N X | toJson }}', {
    F: ['chunk', 'mustChunk'],
    N: ['1', '2', '3', '10'],
    X: ['(list 1 2 3 4 5)', '.Values.list', '(until 6)', '(list)'],
  }),
  ...combine('{{ F N (list 1 2 3) }}', { F: ['chunk', 'mustChunk'], N: ['0', '-1', '-2', '-5'] }),
  '{{ chunk 0 (list) }}',
  '{{ chunk -1 (list) }}',
  ...combine('{{ chunk 2 X }}', { X: ['nil', '"abc"', '.Values.map'] }),
  '{{ printf "%T" (chunk 2 (list 1 2 3)) }}',
  '{{ range chunk 2 .Values.list }}[{{ . }}]{{ end }}',
  ...combine('{{ F }}', { F: ['first', 'append (list)', 'has 1', 'without', 'chunk 1', 'slice'] }),
  ...combine('{{ until N | toJson }}', { N: ['0', '1', '5', '-3', '(len .Values.list)'] }),
  '{{ until .Values.int }}',
  '{{ until "3" }}',
  ...combine('{{ untilStep N M S | toJson }}', {
    N: ['0', '5', '-2'],
    M: ['0', '6', '-6'],
    S: ['1', '2', '-2', '0'],
  }),
  ...combine('{{ seq A }}', {
    A: [
      '',
      '5',
      '-3',
      '0',
      '1',
      '2 5',
      '5 2',
      '0 2 10',
      '0 -2 -5',
      '10 2 0',
      '10 -3 0',
      '1 0 3',
      '3 0 1',
      '1 1 1',
      '1 2 3 4',
      '0 3',
      '2 2',
    ],
  }),
  '{{ seq "a" }}',
  ...combine('{{ F X }}', { F: ['compact', 'first', 'sortAlpha'], X: ANYTHING }),
];
