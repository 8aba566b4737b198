import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { resolveFailure, type SelectorProblem } from '../../domain/resolve-failures.ts';

/** One condition of a label selector. `gt` and `lt` compare whole numbers. */
export interface LabelCondition {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt';
  readonly values: readonly string[];
}

/** All conditions must hold. */
export type LabelSelector = readonly LabelCondition[];

/** Returns whether labels meet a selector. As in the API, `!=` and `notin` also hold if the label is absent. */
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

/** Formats the selector for the query parameter `labelSelector`. */
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
 * Parses a selector in the syntax of `-l`: `app=web,tier!=db,env in (a,b),!canary,weight>5`. Throws a usage error with
 * a caret. Grammar: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#list-and-watch-filtering
 */
export function parseLabelSelector(text: string): LabelSelector {
  return new SelectorReader(text).read();
}

class SelectorReader {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
  }

  read(): LabelSelector {
    const conditions = [this.#takeCondition()];
    while (this.#takeSymbol(',')) conditions.push(this.#takeCondition());
    if (this.#next !== undefined) throw this.#fault('no-comma');
    return conditions;
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #fault(problem: SelectorProblem, token = this.#next): CodedError {
    const index = token?.index ?? this.#text.length;
    return resolveFailure('bad-selector', { text: this.#text, index, problem }, { exit: 'usage' });
  }

  #takeCondition(): LabelCondition {
    if (this.#takeSymbol('!')) return { key: this.#takeKey(), operator: 'absent', values: [] };
    const key = this.#takeKey();
    if (this.#takeSymbol('=') || this.#takeSymbol('=='))
      return { key, operator: 'in', values: [this.#takeValue()] };
    if (this.#takeSymbol('!=')) return { key, operator: 'notin', values: [this.#takeValue()] };
    if (this.#takeSymbol('>')) return { key, operator: 'gt', values: [this.#takeNumber()] };
    if (this.#takeSymbol('<')) return { key, operator: 'lt', values: [this.#takeNumber()] };
    if (this.#takeKeyword('in')) return { key, operator: 'in', values: this.#takeSet() };
    if (this.#takeKeyword('notin')) return { key, operator: 'notin', values: this.#takeSet() };
    return { key, operator: 'exists', values: [] };
  }

  #takeSymbol(symbol: string): boolean {
    return this.#takeToken(symbol, true);
  }

  #takeKeyword(keyword: string): boolean {
    return this.#takeToken(keyword, false);
  }

  #takeToken(text: string, symbol: boolean): boolean {
    const token = this.#next;
    if (token?.symbol !== symbol || token.text !== text) return false;
    this.#at++;
    return true;
  }

  #takeKey(): string {
    const token = this.#next;
    if (token === undefined || token.symbol) throw this.#fault('no-key');
    if (!KEY.test(token.text)) throw this.#fault('not-a-key', token);
    this.#at++;
    return token.text;
  }

  #takeValue(): string {
    const token = this.#next;
    // `app=` requests an empty value.
    if (token === undefined || token.symbol) return '';
    if (!VALUE.test(token.text)) throw this.#fault('not-a-value', token);
    this.#at++;
    return token.text;
  }

  #takeNumber(): string {
    const value = this.#takeValue();
    if (!isWhole(value)) throw this.#fault('no-number', this.#tokens[this.#at - 1]);
    return value;
  }

  #takeSet(): string[] {
    if (!this.#takeSymbol('(')) throw this.#fault('no-opening');
    const values = [this.#takeValue()];
    while (this.#takeSymbol(',')) values.push(this.#takeValue());
    if (!this.#takeSymbol(')')) throw this.#fault('no-closing');
    return values;
  }
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

/**
 * Reads the selector in an object's `spec.selector`: `{ matchLabels, matchExpressions }` (workloads) or a plain map
 * (Services, ReplicationControllers). Returns undefined if it selects nothing or cannot be read.
 */
export function readSelector(value: unknown): LabelSelector | undefined {
  const object = asRecord(value);
  if (object === undefined) return undefined;
  const structured = 'matchLabels' in object || 'matchExpressions' in object;
  const conditions: LabelCondition[] = [];
  for (const [key, text] of Object.entries(asRecord(structured ? object.matchLabels : object) ?? {})) {
    if (typeof text !== 'string') return undefined;
    conditions.push({ key, operator: 'in', values: [text] });
  }
  const expressions = structured && Array.isArray(object.matchExpressions) ? object.matchExpressions : [];
  for (const expression of expressions) {
    const condition = readExpression(asRecord(expression));
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
