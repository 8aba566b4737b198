import { badRequest } from '../../api-error.ts';

export type Labels = Readonly<Record<string, string>> | undefined;

export interface LabelRequirement {
  readonly key: string;
  readonly operator: '=' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';
  readonly values: readonly string[];
}

/**
 * Parses a label selector with the grammar and the error texts of k8s.io/apimachinery/pkg/labels.
 * @throws ApiError 400
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  const parser = new Parser(text);
  const requirements: LabelRequirement[] = [];
  for (;;) {
    const token = parser.peek();
    if (token.kind === 'end') return requirements;
    if (token.kind !== 'identifier' && token.kind !== '!') {
      throw badRequest(`found '${token.text}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(readRequirement(parser));
    const next = parser.take();
    if (next.kind === 'end') return requirements;
    if (next.kind !== ',') throw badRequest(`found '${next.text}', expected: ',' or 'end of string'`);
    const after = parser.peek();
    if (after.kind !== 'identifier' && after.kind !== '!') {
      throw badRequest(`found '${after.text}', expected: identifier after ','`);
    }
  }
}

export function labelsMatch(requirements: readonly LabelRequirement[], labels: Labels): boolean {
  return requirements.every((requirement) => requirementMatches(requirement, labels));
}

function requirementMatches({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case '=':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) > Number(values[0]);
    case 'lt':
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) < Number(values[0]);
  }
}

interface Token {
  readonly kind: 'identifier' | 'end' | '!' | '(' | ')' | ',' | 'operator';
  readonly text: string;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' };
  }

  take(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [found] of text.matchAll(/[^\s=!(),<>]+|==|!=|[=!(),<>]/g)) {
    if (found === '!' || found === '(' || found === ')' || found === ',')
      tokens.push({ kind: found, text: found });
    else if (/^[=!<>]/.test(found)) tokens.push({ kind: 'operator', text: found });
    else tokens.push({ kind: 'identifier', text: found });
  }
  return tokens;
}

function readRequirement(parser: Parser): LabelRequirement {
  try {
    return requirement(parser);
  } catch (error) {
    throw badRequest(
      `unable to parse requirement: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const OPERATORS: Readonly<Record<string, LabelRequirement['operator']>> = {
  '=': '=',
  '==': '=',
  '!=': '!=',
  in: 'in',
  notin: 'notin',
  '<': 'lt',
  '>': 'gt',
  lt: 'lt',
  gt: 'gt',
};

function requirement(parser: Parser): LabelRequirement {
  let token = parser.take();
  const negated = token.kind === '!';
  if (negated) token = parser.take();
  if (token.kind !== 'identifier') throw new Error(`found '${token.text}', expected: identifier`);
  const key = token.text;
  checkKey(key);
  if (negated) return { key, operator: '!', values: [] };
  const next = parser.peek();
  if (next.kind === 'end' || next.kind === ',') return { key, operator: 'exists', values: [] };
  const sign = parser.take();
  const operator = Object.hasOwn(OPERATORS, sign.text) ? OPERATORS[sign.text] : undefined;
  if (operator === undefined) {
    throw new Error(`found '${sign.text}', expected: in, notin, =, ==, !=, gt, lt`);
  }
  const values = operator === 'in' || operator === 'notin' ? setOfValues(parser) : [exactValue(parser)];
  for (const [index, value] of values.entries()) checkValue(key, value, index, operator);
  return { key, operator, values };
}

function exactValue(parser: Parser): string {
  const token = parser.peek();
  if (token.kind === 'end' || token.kind === ',') return '';
  parser.take();
  if (token.kind === 'identifier') return token.text;
  throw new Error(`found '${token.text}', expected: identifier`);
}

function setOfValues(parser: Parser): readonly string[] {
  const open = parser.take();
  if (open.kind !== '(') throw new Error(`found '${open.text}' expected: '('`);
  const first = parser.peek();
  if (first.kind === ')') {
    parser.take();
    return [''];
  }
  if (first.kind !== 'identifier' && first.kind !== ',') {
    throw new Error(`found '${first.text}', expected: ',', ')' or identifier`);
  }
  const values = new Set<string>();
  let isOpen = true;
  while (isOpen) isOpen = takeValue(parser, values);
  parser.take();
  return [...values].sort();
}

/**
 * Takes one identifier or comma; a comma without a value before or after it adds the empty value. Returns false at the
 * end of the list.
 */
function takeValue(parser: Parser, values: Set<string>): boolean {
  const token = parser.take();
  const next = parser.peek();
  if (token.kind === 'identifier') {
    values.add(token.text);
    if (next.kind !== ')' && next.kind !== ',') throw new Error(`found '${next.text}', expected: ',' or ')'`);
    return next.kind === ',';
  }
  if (token.kind !== ',') throw new Error(`found '${token.text}', expected: ',', or identifier`);
  if (values.size === 0 || next.kind === ')' || next.kind === ',') values.add('');
  if (next.kind === ',') parser.take();
  return next.kind !== ')';
}

const NAME_PATTERN = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const KEY_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

function checkKey(key: string): void {
  const name = key.slice(key.indexOf('/') + 1);
  if (!NAME_PATTERN.test(name)) throw new Error(`key: Invalid value: ${JSON.stringify(key)}: ${KEY_RULE}`);
  if (name.length > 63) {
    throw new Error(`key: Invalid value: ${JSON.stringify(key)}: name part must be no more than 63 bytes`);
  }
}

function checkValue(key: string, value: string, index: number, operator: string): void {
  const shown = `values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}`;
  if (operator === 'gt' || operator === 'lt') {
    if (!/^[-+]?\d+$/.test(value))
      throw new Error(`${shown}: for 'Gt', 'Lt' operators, the value must be an integer`);
    return;
  }
  if (value.length > 63) throw new Error(`${shown}: must be no more than 63 bytes`);
  if (value !== '' && !NAME_PATTERN.test(value)) throw new Error(`${shown}: ${VALUE_RULE}`);
}
