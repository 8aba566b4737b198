import { ShellSyntaxError } from './syntax.ts';

const BINARY: readonly Readonly<Record<string, (a: number, b: number) => number>>[] = [
  { '||': (a, b) => Number(a !== 0 || b !== 0) },
  { '&&': (a, b) => Number(a !== 0 && b !== 0) },
  { '==': (a, b) => Number(a === b), '!=': (a, b) => Number(a !== b) },
  {
    '<=': (a, b) => Number(a <= b),
    '>=': (a, b) => Number(a >= b),
    '<': (a, b) => Number(a < b),
    '>': (a, b) => Number(a > b),
  },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => Math.trunc(a / b), '%': (a, b) => a % b },
];

/** The value of `$((text))`; names are variables, assignments are carried out by `assign`. */
export function arithmetic(
  text: string,
  read: (name: string) => string,
  assign: (name: string, value: string) => void,
): number {
  const tokens = text.match(/\d+|\$?[A-Za-z_]\w*|\+\+|--|[-+*/%]=|[<>=!]=|&&|\|\||[-+*/%()<>=!]/g) ?? [];
  let at = 0;
  const numberOf = (name: string) => Number(read(name.replace('$', '')) || 0);

  function expression(): number {
    const name = tokens[at];
    const operator = tokens[at + 1];
    if (
      name !== undefined &&
      /^[A-Za-z_]/.test(name) &&
      operator !== undefined &&
      /^[-+*/%]?=$/.test(operator)
    ) {
      at += 2;
      const right = expression();
      const sign = operator.slice(0, -1);
      const value = sign === '' ? right : apply(sign, numberOf(name), right);
      assign(name, String(value));
      return value;
    }
    return level(0);
  }

  function level(depth: number): number {
    const operators = BINARY[depth];
    if (operators === undefined) return unary();
    let value = level(depth + 1);
    for (
      let operator = tokens[at];
      operator !== undefined && Object.hasOwn(operators, operator);
      operator = tokens[at]
    ) {
      at++;
      value = apply(operator, value, level(depth + 1));
    }
    return value;
  }

  function unary(): number {
    const token = tokens[at++];
    if (token === '-') return -unary();
    if (token === '+') return unary();
    if (token === '!') return Number(unary() === 0);
    if (token === '(') {
      const value = expression();
      at++;
      return value;
    }
    if (token === undefined) throw new ShellSyntaxError(`arithmetic: "${text}"`);
    if (/^\d/.test(token)) return Number(token);
    const value = numberOf(token);
    if (tokens[at] === '++' || tokens[at] === '--') {
      assign(token, String(value + (tokens[at++] === '++' ? 1 : -1)));
    }
    return value;
  }

  return expression();
}

function apply(operator: string, a: number, b: number): number {
  const act = BINARY.find((operators) => Object.hasOwn(operators, operator))?.[operator];
  if (act === undefined) throw new ShellSyntaxError(`arithmetic: ${operator}`);
  if ((operator === '/' || operator === '%') && b === 0)
    throw new ShellSyntaxError('arithmetic: division by zero');
  return act(a, b);
}
