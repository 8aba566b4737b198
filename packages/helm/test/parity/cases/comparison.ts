import type { CaseTable } from '../case.ts';

const OPERANDS = [
  '.Values.text',
  '.Values.int',
  '.Values.yes',
  '.Values.nope',
  '.Values.list',
  '.Values.map',
  '"hello"',
  '42',
  '42.0',
  'nil',
  '(len "ab")',
  'true',
];
const OPERATORS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];

/** Each operator on each pair of types. */
export const COMPARISON: CaseTable = [
  ...OPERATORS.flatMap((operator) =>
    OPERANDS.flatMap((left) => OPERANDS.map((right) => `{{ ${operator} ${left} ${right} }}`)),
  ),
  ...OPERATORS.flatMap((operator) => [`{{ ${operator} }}`, `{{ ${operator} 1 }}`, `{{ 1 | ${operator} 2 }}`]),
  '{{ eq 1 2 1 }} {{ eq 1 2 3 }} {{ eq "a" "b" "a" }}',
  '{{ eq .Values.text "x" .Values.text }}',
  '{{ eq .Values.text 1 "hello" }}',
  '{{ ne 1 2 3 }}',
  '{{ eq .Values.emptyMap .Values.nope }}',
  '{{ eq .Values.nope .Values.nothing }}',
  '{{ lt "a" "b" }} {{ lt "b" "a" }} {{ lt "Z" "a" }} {{ lt "é" "z" }} {{ lt "" "a" }}',
  '{{ gt 1.5 1.2 }} {{ lt -1 0 }} {{ le 2 2 }} {{ ge 2 3 }}',
  '{{ if eq .Values.int 42.0 }}same{{ end }}',
  '{{ if eq (int .Values.int) 42 }}same{{ end }}',
];
