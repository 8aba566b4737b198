import { quote } from '../../value/quote.ts';
import type { Value } from '../../value/value.ts';
import type { Engine } from '../engine.ts';
import { ExecError, type GoError } from '../errors.ts';
import type { GoFunction } from '../function.ts';
import type { Held } from '../held.ts';
import type { Nested } from '../nested.ts';
import type { Operand, TemplateNode, Tree } from '../parse/node.ts';
import type { TemplateSet } from '../parse/set.ts';
import { location, type SourceNode, show } from '../parse/show.ts';
import type { TemplateCall } from './template-call.ts';

/** One step of a template's code. Its data is in the machine, so that one code serves all its runs. */
export type Step = (machine: Machine) => void;
export type Code = readonly Step[];

/** The state that steps work on: the running template, and the operands of its pipelines. */
export interface Machine {
  readonly engine: Engine;
  readonly frame: Frame;
  readonly top: Held;
  /** The call whose arguments are being evaluated. */
  readonly call: Call;
  push(value: Held): void;
  pop(): Held;
  begin(call: Call): void;
  /** Drops a call that must not be invoked. */
  drop(): void;
  /** Invokes the current call and pushes its result: at once, or after running the template that produces it. */
  invoke(): void;
  /** Returns the tree that `{{template}}` calls. Throws ExecError. */
  called(node: TemplateNode): Tree;
  /** Runs a tree inside the running template, without access to its variables. */
  runWithin(tree: Tree, data: Held): void;
  write(text: string): void;
}

/** A call of a function or method whose arguments are being evaluated. */
export interface Call {
  readonly called: GoFunction;
  readonly name: string;
  /** The node that errors of the function point at. */
  readonly errorNode: SourceNode;
  /** The callee, and the arguments as written. */
  readonly operands: readonly Operand[];
  readonly args: (Value | undefined)[];
}

interface Variable {
  readonly name: string;
  value: Held;
}

/** An active `if`, `with` or `range`: the state to restore after it. */
export interface Scope {
  readonly mark: number;
  readonly dot: Held;
}

/** The output of a template; one called by `{{template}}` writes to its caller's. */
export interface Output {
  text: string;
}

/** The function call that returns the text of a frame. */
export interface Begun {
  readonly call: Call;
  readonly nested: Nested;
}

interface FrameFacts {
  readonly name: string;
  readonly code: Code;
  readonly data: Held;
  readonly set: TemplateSet;
  readonly world: TemplateCall;
  readonly output: Output;
  readonly depth: number;
  readonly caller: Frame | undefined;
  readonly begun: Begun | undefined;
}

/** A running template: its position, dot and variables, and the node that errors point at. */
export class Frame {
  readonly #name: string;
  readonly #variables: Variable[];
  readonly code: Code;
  readonly set: TemplateSet;
  readonly world: TemplateCall;
  readonly output: Output;
  /** The number of `{{template}}` calls between the executed template and this one. */
  readonly depth: number;
  readonly caller: Frame | undefined;
  /** Undefined if `{{template}}` called it. */
  readonly begun: Begun | undefined;
  readonly scopes: Scope[] = [];
  /** The index of the next step. */
  at = 0;
  dot: Held;
  node: SourceNode | undefined;

  constructor({ name, code, data, set, world, output, depth, caller, begun }: FrameFacts) {
    this.#name = name;
    this.#variables = [{ name: '$', value: data }];
    this.code = code;
    this.dot = data;
    this.set = set;
    this.world = world;
    this.output = output;
    this.depth = depth;
    this.caller = caller;
    this.begun = begun;
  }

  /** The number of variables, for `forget`. */
  get mark(): number {
    return this.#variables.length;
  }

  forget(mark: number): void {
    this.#variables.length = mark;
  }

  declare(name: string, value: Held): void {
    this.#variables.push({ name, value });
  }

  assign(name: string, value: Held): void {
    this.#variable(name).value = value;
  }

  valueOf(name: string): Held {
    return this.#variable(name).value;
  }

  /** Sets the last declared variable, or the one `before` positions earlier. */
  setLast(before: number, value: Held): void {
    this.#variables[this.#variables.length - 1 - before]!.value = value;
  }

  #variable(name: string): Variable {
    for (let at = this.#variables.length - 1; at >= 0; at--) {
      const variable = this.#variables[at]!;
      if (variable.name === name) return variable;
    }
    throw this.error(`undefined variable: ${name}`);
  }

  error(message: string, wrapped?: GoError): ExecError {
    if (this.node === undefined) return new ExecError(`template: ${this.#name}: ${message}`, wrapped);
    const where = `template: ${location(this.node)}: executing ${quote(this.#name)} at <${show(this.node)}>`;
    return new ExecError(`${where}: ${message}`, wrapped);
  }
}
