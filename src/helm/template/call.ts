import { quote } from '../value/quote.ts';
import type { Value } from '../value/value.ts';
import type { Engine } from './engine.ts';
import { GoError } from './errors.ts';
import type { FunctionCall } from './function.ts';
import { fromInterface, type Held } from './held.ts';
import type { Tree } from './node.ts';
import type { TemplateSet } from './set.ts';

const DEEPEST_INCLUDE = 1000;
/** What a value that is not there prints as. */
export const NO_VALUE = '<no value>';

export type Execute = (engine: Engine, set: TemplateSet, tree: Tree, data: Held) => string;

/** What functions can do in the rendering that calls them, seeing the templates of one set. */
export class TemplateCall implements FunctionCall {
  readonly #engine: Engine;
  readonly #set: TemplateSet;
  readonly #execute: Execute;

  constructor(engine: Engine, set: TemplateSet, execute: Execute) {
    this.#engine = engine;
    this.#set = set;
    this.#execute = execute;
  }

  get nowMs(): number {
    return this.#engine.nowMs;
  }

  get lint(): boolean {
    return this.#engine.lint;
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

  include(name: string, data: Value): string {
    const { included } = this.#engine;
    const depth = included.get(name) ?? 0;
    if (depth > DEEPEST_INCLUDE) throw tooDeep(name);
    included.set(name, depth + 1);
    try {
      const tree = this.#set.lookup(name);
      if (tree === undefined) {
        throw new GoError(`template: no template ${quote(name)} associated with template "gotpl"`);
      }
      return this.#execute(this.#engine, this.#set, tree, fromInterface(data));
    } catch (error) {
      // Go's stack grows; ours ends a little before the deepest that is allowed.
      if (error instanceof RangeError) throw tooDeep(name);
      throw error;
    } finally {
      included.set(name, included.get(name)! - 1);
    }
  }

  evaluate(text: string, data: Value): string {
    const set = this.#set.above();
    let tree: Tree;
    try {
      tree = set.parse('gotpl', text);
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      throw new GoError(`cannot parse template ${quote(text)}: ${error.message}`, error);
    }
    try {
      return this.#execute(this.#engine, set, tree, fromInterface(data)).replaceAll(NO_VALUE, '');
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      throw new GoError(`error during tpl function execution for ${quote(text)}: ${error.message}`, error);
    }
  }
}

function tooDeep(name: string): GoError {
  return new GoError(
    `rendering template has a nested reference name: ${name}: unable to execute template`,
    new GoError('unable to execute template'),
  );
}
