import { quote } from '../value/quote.ts';
import { limitError } from './budget.ts';
import { TemplateCall } from './call.ts';
import { type Call, callFailed, resultOf } from './calls.ts';
import { codeOf } from './compile.ts';
import type { Engine } from './engine.ts';
import { GoError } from './errors.ts';
import { Frame } from './frame.ts';
import type { Held } from './held.ts';
import { Nested } from './nested.ts';
import type { TemplateNode, Tree } from './node.ts';
import type { TemplateSet } from './set.ts';

/** One step of a template's code. What it works on is in the machine, so that one code serves all its runs. */
export type Step = (machine: Machine) => void;
export type Code = readonly Step[];

const DEEPEST_TEMPLATE = 100_000;
/** All templates that wait for others at a time: where Go's stack, of a gigabyte, ends about. */
const MOST_FRAMES = 250_000;
/** Most characters that an error says of the way to it: nobody reads more. */
const LONGEST_WAY = 2 ** 23;

/**
 * Runs a tree on data and returns its text. Throws ExecError, worded as text/template's, and LogtoolError for limits.
 */
export function executeTree(engine: Engine, set: TemplateSet, tree: Tree, data: Held): string {
  return new Machine(engine, set, tree, data).run();
}

/**
 * Runs templates, and those that they call by `template`, `include` and `tpl`, without a call of JavaScript inside of
 * another for any of them: they may be as deep as Go's, whatever the stack is.
 */
export class Machine {
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

  /** The call whose arguments are being evaluated. */
  get call(): Call {
    return this.#calls[this.#calls.length - 1]!;
  }

  begin(call: Call): void {
    this.#calls.push(call);
  }

  /** Ends a call that is not to be made by `invoke`. */
  drop(): void {
    this.#calls.pop();
  }

  /** Calls what was begun: its value is pushed, at once or when the template that it is made of has run. */
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

  /** The tree that `{{template}}` calls. Throws ExecError. */
  called({ name }: TemplateNode): Tree {
    const { frame } = this;
    const tree = frame.set.lookup(name);
    if (tree === undefined) throw frame.error(`template ${quote(name)} not defined`);
    if (frame.depth === DEEPEST_TEMPLATE) {
      throw frame.error(`exceeded maximum template depth (${DEEPEST_TEMPLATE})`);
    }
    return tree;
  }

  /** Runs a tree inside the template that is being run: it sees nothing of its variables. */
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
    if (++this.#frames > MOST_FRAMES)
      throw limitError(`more than ${MOST_FRAMES} templates wait for each other`);
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

  /** The error as those see it who called the template. */
  #withWay(error: GoError): GoError {
    let seen = error;
    for (let { frame } = this; frame.caller !== undefined; frame = frame.caller) {
      if (seen.message.length > LONGEST_WAY) break;
      if (frame.begun === undefined) continue;
      const { call, nested } = frame.begun;
      seen = callFailed(frame.caller, call, nested.wrap(seen));
    }
    return seen;
  }
}
