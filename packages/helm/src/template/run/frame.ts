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

/** One step of a template's code. What it works on is in the machine, so that one code serves all its runs. */
export type Step = (machine: Machine) => void;
export type Code = readonly Step[];

/** What steps work on: the template that is being run, and the operands of its pipelines. */
export interface Machine {
  readonly engine: Engine;
  readonly frame: Frame;
  readonly top: Held;
  /** The call whose arguments are being evaluated. */
  readonly call: Call;
  push(value: Held): void;
  pop(): Held;
  begin(call: Call): void;
  /** Ends a call that `invoke` must not make. */
  drop(): void;
  /** Calls what was begun: its value is pushed, at once or when the template that it is made of has run. */
  invoke(): void;
  /** The tree that `{{template}}` calls. Throws ExecError. */
  called(node: TemplateNode): Tree;
  /** Runs a tree inside the template that is being run: it sees nothing of its variables. */
  runWithin(tree: Tree, data: Held): void;
  write(text: string): void;
}

/** A call of a function or method whose arguments are being evaluated. */
export interface Call {
  readonly called: GoFunction;
  readonly name: string;
  /** What an error of the function points at. */
  readonly errorNode: SourceNode;
  /** The callee, and the arguments as written. */
  readonly operands: readonly Operand[];
  readonly args: (Value | undefined)[];
}

interface Variable {
  readonly name: string;
  value: Held;
}

/** An `if`, `with` or `range` that is being walked: what holds again after it. */
export interface Scope {
  readonly mark: number;
  readonly dot: Held;
}

/** What a template writes; one called by `{{template}}` writes to the text of its caller. */
export interface Output {
  text: string;
}

/** The function call whose value is the text of a frame. */
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

/** A template that is being run: how far it is, its dot and variables, and the node that errors point at. */
export class Frame {
  readonly #name: string;
  readonly #variables: Variable[];
  readonly code: Code;
  readonly set: TemplateSet;
  readonly world: TemplateCall;
  readonly output: Output;
  /** How many `{{template}}` it is below the one that was executed. */
  readonly depth: number;
  readonly caller: Frame | undefined;
  /** Undefined when `{{template}}` called it. */
  readonly begun: Begun | undefined;
  readonly scopes: Scope[] = [];
  /** The step of the code that comes next. */
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

  /** How many variables there are, to come back to by `forget`. */
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

  /** Sets the variable that was declared last, or `before` it. */
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
