import { quote } from '../../value/quote.ts';
import { limitError } from '../budget.ts';
import type { Engine } from '../engine.ts';
import { GoError } from '../errors.ts';
import type { Held } from '../held.ts';
import { Nested } from '../nested.ts';
import type { TemplateNode, Tree } from '../parse/node.ts';
import type { TemplateSet } from '../parse/set.ts';
import { callFailed, resultOf } from './calls.ts';
import { codeOf } from './compile.ts';
import { type Call, Frame, type Machine } from './frame.ts';
import { TemplateCall } from './template-call.ts';

const MAX_TEMPLATE_DEPTH = 100_000;
/** Maximum number of nested templates: about where Go's stack, of a gigabyte, ends. */
const MAX_FRAMES = 250_000;
/** Maximum length of an error with its call path: nobody reads more. */
const MAX_TRACE_CHARACTERS = 2 ** 23;

/**
 * Runs a tree on data and returns its text. Throws ExecError, worded like text/template's, and CodedError for limits.
 */
export function executeTree(engine: Engine, set: TemplateSet, tree: Tree, data: Held): string {
  return new TemplateMachine(engine, set, tree, data).run();
}

/**
 * Runs templates, and those that they call by `template`, `include` and `tpl`, without recursion in JavaScript: they
 * may nest as deeply as in Go, whatever the stack size.
 */
class TemplateMachine implements Machine {
  readonly engine: Engine;
  readonly #operands: Held[] = [];
  readonly #calls: Call[] = [];
  #frames = 1;
  frame: Frame;

  constructor(engine: Engine, set: TemplateSet, tree: Tree, data: Held) {
    this.engine = engine;
    this.frame = new Frame({
      name: tree.name,
      code: codeOf(tree),
      data,
      set,
      world: new TemplateCall(engine, set),
      output: { text: '' },
      depth: 0,
      caller: undefined,
      begun: undefined,
    });
  }

  run(): string {
    try {
      for (;;) {
        const { frame } = this;
        const step = frame.code[frame.at++];
        if (step !== undefined) step(this);
        else if (frame.caller === undefined) return frame.output.text;
        else this.#leave(frame, frame.caller);
      }
    } catch (error) {
      throw error instanceof GoError ? this.#withWay(error) : error;
    }
  }

  push(value: Held): void {
    this.#operands.push(value);
  }

  pop(): Held {
    return this.#operands.pop();
  }

  get top(): Held {
    return this.#operands[this.#operands.length - 1];
  }

  get call(): Call {
    return this.#calls[this.#calls.length - 1]!;
  }

  begin(call: Call): void {
    this.#calls.push(call);
  }

  drop(): void {
    this.#calls.pop();
  }

  invoke(): void {
    const call = this.#calls.pop()!;
    const { frame } = this;
    const result = resultOf(frame, call);
    if (!(result instanceof Nested)) {
      this.push(result);
      return;
    }
    const { set, tree, data } = result;
    this.#enter(
      new Frame({
        name: tree.name,
        code: codeOf(tree),
        data,
        set,
        world: set === frame.set ? frame.world : new TemplateCall(this.engine, set),
        output: { text: '' },
        depth: 0,
        caller: frame,
        begun: { call, nested: result },
      }),
    );
  }

  called({ name }: TemplateNode): Tree {
    const { frame } = this;
    const tree = frame.set.lookup(name);
    if (tree === undefined) throw frame.error(`template ${quote(name)} not defined`);
    if (frame.depth === MAX_TEMPLATE_DEPTH) {
      throw frame.error(`exceeded maximum template depth (${MAX_TEMPLATE_DEPTH})`);
    }
    return tree;
  }

  runWithin(tree: Tree, data: Held): void {
    const { frame } = this;
    const { set, world, output } = frame;
    const depth = frame.depth + 1;
    const code = codeOf(tree);
    this.#enter(
      new Frame({ name: tree.name, code, data, set, world, output, depth, caller: frame, begun: undefined }),
    );
  }

  write(text: string): void {
    this.engine.budget.charge(text.length);
    this.frame.output.text += text;
  }

  #enter(frame: Frame): void {
    if (++this.#frames > MAX_FRAMES) throw limitError({ of: 'depth', max: MAX_FRAMES });
    this.frame = frame;
  }

  #leave(frame: Frame, caller: Frame): void {
    this.#frames--;
    this.frame = caller;
    if (frame.begun === undefined) return;
    const text = frame.begun.nested.finish(frame.output.text);
    caller.world.charge(text.length);
    this.push(text);
  }

  /** Returns the error as the callers of the template see it. */
  #withWay(error: GoError): GoError {
    let seen = error;
    for (let { frame } = this; frame.caller !== undefined; frame = frame.caller) {
      if (seen.message.length > MAX_TRACE_CHARACTERS) break;
      if (frame.begun === undefined) continue;
      const { call, nested } = frame.begun;
      seen = callFailed(frame.caller, call, nested.wrap(seen));
    }
    return seen;
  }
}
