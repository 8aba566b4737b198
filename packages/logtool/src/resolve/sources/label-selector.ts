import { usageError } from '@logtool/kube/src/values/errors.ts';
import { caretUnder } from '../domain/caret.ts';
import { objectOf } from './read-json.ts';

/** One condition of a label selector. `gt` and `lt` compare whole numbers. */
export interface LabelCondition {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt';
  readonly values: readonly string[];
}

/** All conditions must hold. */
export type LabelSelector = readonly LabelCondition[];

/** Whether labels meet a selector. As the API does it: `!=` and `notin` also hold where the label is absent. */
export function selects(selector: LabelSelector, labels: ReadonlyMap<string, string>): boolean {
  return selector.every((condition) => holds(condition, labels.get(condition.key)));
}

function holds({ operator, values }: LabelCondition, value: string | undefined): boolean {
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'gt':
      return isWhole(value) && Number(value) > Number(values[0]);
    case 'lt':
      return isWhole(value) && Number(value) < Number(values[0]);
  }
}

/** The selector as the query parameter `labelSelector` takes it. */
export function selectorText(selector: LabelSelector): string {
  return selector.map(conditionText).join(',');
}

function conditionText({ key, operator, values }: LabelCondition): string {
  switch (operator) {
    case 'in':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`;
    case 'notin':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(',')})`;
    case 'exists':
      return key;
    case 'absent':
      return `!${key}`;
    case 'gt':
      return `${key}>${values[0]}`;
    case 'lt':
      return `${key}<${values[0]}`;
  }
}

const TOKEN = /\s*(?:(==|!=|=|!|<|>|\(|\)|,)|([^\s=!<>(),]+))/y;

interface Token {
  readonly text: string;
  readonly symbol: boolean;
  readonly index: number;
}

/**
 * Reads a selector as `-l` takes it: `app=web,tier!=db,env in (a,b),!canary,weight>5`. Throws a usage error with a
 * caret. Grammar: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#list-and-watch-filtering
 */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = tokenize(text);
  const conditions: LabelCondition[] = [];
  let at = 0;
  const peek = () => tokens[at];
  const fail = (why: string, token = peek()) => selectorError(text, token?.index ?? text.length, why);
  const takeSymbol = (symbol: string) => {
    const token = peek();
    if (token?.symbol !== true || token.text !== symbol) return false;
    at++;
    return true;
  };
  const takeKey = () => {
    const token = peek();
    if (token === undefined || token.symbol) throw fail('a label key is missing here');
    if (!KEY.test(token.text)) throw fail('this is not a label key', token);
    at++;
    return token.text;
  };
  const takeValue = () => {
    const token = peek();
    // `app=` asks for an empty value.
    if (token === undefined || token.symbol) return '';
    if (!VALUE.test(token.text)) throw fail('this is not a label value', token);
    at++;
    return token.text;
  };
  const takeSet = () => {
    if (!takeSymbol('(')) throw fail("'(' is missing here");
    const values = [takeValue()];
    while (takeSymbol(',')) values.push(takeValue());
    if (!takeSymbol(')')) throw fail("')' is missing here");
    return values;
  };
  const takeCondition = (): LabelCondition => {
    if (takeSymbol('!')) return { key: takeKey(), operator: 'absent', values: [] };
    const key = takeKey();
    if (takeSymbol('=') || takeSymbol('==')) return { key, operator: 'in', values: [takeValue()] };
    if (takeSymbol('!=')) return { key, operator: 'notin', values: [takeValue()] };
    for (const [symbol, operator] of [
      ['>', 'gt'],
      ['<', 'lt'],
    ] as const) {
      if (!takeSymbol(symbol)) continue;
      const value = takeValue();
      if (!isWhole(value)) throw fail('a whole number is missing here', tokens[at - 1]);
      return { key, operator, values: [value] };
    }
    const word = peek();
    if (word?.symbol === false && (word.text === 'in' || word.text === 'notin')) {
      at++;
      return { key, operator: word.text, values: takeSet() };
    }
    return { key, operator: 'exists', values: [] };
  };
  do conditions.push(takeCondition());
  while (takeSymbol(','));
  if (peek() !== undefined) throw fail("',' is missing here");
  return conditions;
}

const KEY =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\/)?[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const VALUE = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (match === null) break;
    const symbol = match[1] !== undefined;
    const found = match[1] ?? match[2] ?? '';
    tokens.push({ text: found, symbol, index: match.index + match[0].length - found.length });
  }
  return tokens;
}

function isWhole(text: string | undefined): text is string {
  return text !== undefined && /^-?\d{1,15}$/.test(text);
}

function selectorError(text: string, index: number, why: string) {
  return usageError({
    code: 'bad-selector',
    what: '--selector is not a label selector',
    why: `${why}:\n${caretUnder(text, index)}`,
    next: 'write conditions with commas between, e.g. -l app=web,tier!=db',
  });
}

/**
 * The selector in an object's `spec.selector`: `{ matchLabels, matchExpressions }` (workloads) or a plain map
 * (Services, ReplicationControllers). Undefined when it selects nothing or cannot be read.
 */
export function readSelector(value: unknown): LabelSelector | undefined {
  const object = objectOf(value);
  if (object === undefined) return undefined;
  const structured = 'matchLabels' in object || 'matchExpressions' in object;
  const conditions: LabelCondition[] = [];
  for (const [key, text] of Object.entries(objectOf(structured ? object.matchLabels : object) ?? {})) {
    if (typeof text !== 'string') return undefined;
    conditions.push({ key, operator: 'in', values: [text] });
  }
  const expressions = structured && Array.isArray(object.matchExpressions) ? object.matchExpressions : [];
  for (const expression of expressions) {
    const condition = readExpression(objectOf(expression));
    if (condition === undefined) return undefined;
    conditions.push(condition);
  }
  return conditions.length === 0 ? undefined : conditions;
}

const OPERATORS = new Map<unknown, LabelCondition['operator']>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', 'absent'],
]);

function readExpression(
  expression: Readonly<Record<string, unknown>> | undefined,
): LabelCondition | undefined {
  const operator = OPERATORS.get(expression?.operator);
  if (operator === undefined || typeof expression?.key !== 'string') return undefined;
  const values = Array.isArray(expression.values)
    ? expression.values.filter((value) => typeof value === 'string')
    : [];
  return { key: expression.key, operator, values };
}
