import { quote } from '../../value/quote.ts';
import type { Value } from '../../value/value.ts';
import { limitError } from '../budget.ts';
import type { Engine } from '../engine.ts';
import { GoError } from '../errors.ts';
import type { FunctionCall } from '../function.ts';
import { fromInterface } from '../held.ts';
import { Nested } from '../nested.ts';
import type { Tree } from '../parse/node.ts';
import type { TemplateSet } from '../parse/set.ts';

const MAX_INCLUDE_DEPTH = 1000;
/** Maximum nesting of `tpl`: each searches the definitions of all that enclose it. */
const MAX_TPL = 3000;
/** Maximum text of `tpl` to hold in parsed form, which takes some hundred bytes per character of dense text. */
const MAX_TPL_CHARACTERS = 2 ** 23;
/** The output for a missing value. */
export const NO_VALUE = '<no value>';

/** The environment of functions in a rendering, with access to the templates of one set. */
export class TemplateCall implements FunctionCall {
  readonly #engine: Engine;
  readonly #set: TemplateSet;

  constructor(engine: Engine, set: TemplateSet) {
    this.#engine = engine;
    this.#set = set;
  }

  get nowMs(): number {
    return this.#engine.nowMs;
  }

  randomBytes(count: number): Uint8Array {
    return this.#engine.randomBytes(count);
  }

  charge(units: number): void {
    this.#engine.budget.charge(units);
  }

  lookup(apiVersion: string, kind: string, namespace: string, name: string): Value {
    return this.#engine.lookup(apiVersion, kind, namespace, name);
  }

  include(name: string, data: Value): Nested {
    const { included } = this.#engine;
    const depth = included.get(name) ?? 0;
    if (depth > MAX_INCLUDE_DEPTH) throw tooDeep(name);
    const tree = this.#set.lookup(name);
    if (tree === undefined) {
      throw new GoError(`template: no template ${quote(name)} associated with template "gotpl"`);
    }
    included.set(name, depth + 1);
    return new Nested(this.#set, tree, fromInterface(data), {
      finish: (text) => {
        included.set(name, depth);
        return text;
      },
      wrap: (error) => error,
    });
  }

  evaluate(text: string, data: Value): Nested {
    const { tpl } = this.#engine;
    if (++tpl.count > MAX_TPL) throw limitError({ of: 'tpl-depth', max: MAX_TPL });
    tpl.characters += text.length;
    if (tpl.characters > MAX_TPL_CHARACTERS) {
      throw limitError({ of: 'tpl-text', max: MAX_TPL_CHARACTERS });
    }
    const set = this.#set.above();
    let tree: Tree;
    try {
      tree = set.parse('gotpl', text);
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      throw new GoError(`cannot parse template ${quote(text)}: `, error);
    }
    return new Nested(set, tree, fromInterface(data), {
      finish: (written) => {
        tpl.count--;
        tpl.characters -= text.length;
        return written.replaceAll(NO_VALUE, '');
      },
      wrap: (error) => new GoError(`error during tpl function execution for ${quote(text)}: `, error),
    });
  }
}

function tooDeep(name: string): GoError {
  return new GoError(
    `rendering template has a nested reference name: ${name}: `,
    new GoError('unable to execute template'),
  );
}
