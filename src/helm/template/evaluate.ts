import { CALL, callError } from '../functions/go/call.ts';
import { AND, OR } from '../functions/go/logic.ts';
import { quote } from '../value/quote.ts';
import { isTrue } from '../value/truth.ts';
import { goTypeOf, isGoObject, plain } from '../value/type.ts';
import type { Value } from '../value/value.ts';
import { type Converted, convertArgument, convertConstant, convertNil, idealNumber } from './convert.ts';
import { elementOf } from './elements.ts';
import type { Engine } from './engine.ts';
import { GoError } from './errors.ts';
import type { Frame } from './frame.ts';
import type { FunctionCall, GoFunction, GoTypes } from './function.ts';
import { boxed, fromInterface, type Held, held, Interface } from './held.ts';
import type { CommandNode, IdentifierNode, Operand, PipeNode } from './node.ts';
import { type Place, show } from './show.ts';

/** No value came down the pipeline; unlike undefined, which is a value of no type. */
const MISSING = Symbol('missing');
type Final = Held | typeof MISSING;

const NO_OPERANDS: readonly Operand[] = [];

/** Evaluates pipelines, with the rules and errors of text/template. */
export class Evaluator {
  readonly #engine: Engine;
  readonly #frame: Frame;
  readonly #world: FunctionCall;

  constructor(engine: Engine, frame: Frame, call: FunctionCall) {
    this.#engine = engine;
    this.#frame = frame;
    this.#world = call;
  }

  /** The value of a pipeline; variables that it declares stay. */
  pipeline(dot: Held, pipe: PipeNode): Held {
    this.#frame.node = pipe;
    let value: Final = MISSING;
    for (const command of pipe.commands) {
      value = this.#command(dot, command, value);
      // What an interface{} holds, nil being no value at all.
      if (value instanceof Interface) value = fromInterface(value.value);
    }
    const result = value as Held;
    for (const { path } of pipe.variables) {
      if (pipe.isAssignment) this.#frame.assign(path[0]!, result);
      else this.#frame.declare(path[0]!, result);
    }
    return result;
  }

  #command(dot: Held, command: CommandNode, final: Final): Held {
    const { args } = command;
    const first = args[0]!;
    switch (first.kind) {
      case 'field':
        this.#frame.node = first;
        return this.#fields(dot, dot, first, first.path, args, final);
      case 'chain':
        return this.#chain(dot, first, args, final);
      case 'identifier':
        // Few calls deep: templates that include themselves get as deep as the stack.
        this.#frame.node = first;
        return this.#call(dot, this.#found(first), command, first.name, args, final);
      case 'pipe':
        this.#notAFunction(args, final);
        return this.pipeline(dot, first);
      case 'variable':
        return this.#variableFields(dot, first, args, final);
    }
    this.#frame.node = first;
    this.#notAFunction(args, final);
    switch (first.kind) {
      case 'dot':
        return dot;
      case 'nil':
        throw this.#frame.error('nil is not a command');
      case 'number':
        return this.#converted(idealNumber(first));
      default:
        return first.value;
    }
  }

  #notAFunction(args: readonly Operand[], final: Final): void {
    if (args.length > 1 || final !== MISSING) {
      throw this.#frame.error(`can't give argument to non-function ${show(args[0]!)}`);
    }
  }

  #chain(dot: Held, chain: Operand & { kind: 'chain' }, args: readonly Operand[], final: Final): Held {
    this.#frame.node = chain;
    if (chain.of.kind === 'nil') {
      throw this.#frame.error(`indirection through explicit nil in ${show(chain)}`);
    }
    const receiver = this.#operand(dot, chain.of);
    return this.#fields(dot, receiver, chain, chain.path, args, final);
  }

  #variableFields(
    dot: Held,
    node: Operand & { kind: 'variable' },
    args: readonly Operand[],
    final: Final,
  ): Held {
    this.#frame.node = node;
    const value = this.#frame.valueOf(node.path[0]!);
    if (node.path.length > 1) return this.#fields(dot, value, node, node.path.slice(1), args, final);
    this.#notAFunction(args, final);
    return value;
  }

  /** `.a.b.c`, the last of which may be a method that gets the arguments. */
  #fields(
    dot: Held,
    receiver: Held,
    node: Operand,
    path: readonly string[],
    args: readonly Operand[],
    final: Final,
  ): Held {
    let value = receiver;
    const last = path.length - 1;
    for (let at = 0; at < last; at++) value = this.#field(dot, path[at]!, node, NO_OPERANDS, MISSING, value);
    return this.#field(dot, path[last]!, node, args, final, value);
  }

  #field(
    dot: Held,
    name: string,
    node: Operand,
    args: readonly Operand[],
    final: Final,
    receiver: Held,
  ): Held {
    if (receiver === undefined) {
      if (this.#engine.strict) throw this.#frame.error(`nil data; no entry for key ${quote(name)}`);
      return undefined;
    }
    const inner = held(receiver)!;
    const type = receiver instanceof Interface ? 'interface {}' : goTypeOf(inner);
    if (inner === null) throw this.#frame.error(`nil pointer evaluating ${type}.${name}`);
    const hasArguments = args.length > 1 || final !== MISSING;
    if (isGoObject(inner)) {
      const method = inner.method?.(name);
      if (method !== undefined) return this.#call(dot, method, node, name, args, final);
      const field = inner.field(name);
      if (field !== undefined) {
        if (hasArguments) throw this.#frame.error(`${name} has arguments but cannot be invoked as function`);
        return field === null ? boxed(null) : field;
      }
    }
    const map = plain(inner);
    if (!(map instanceof Map)) throw this.#frame.error(`can't evaluate field ${name} in type ${type}`);
    if (hasArguments) throw this.#frame.error(`${name} is not a method but has arguments`);
    if (this.#engine.strict && !map.has(name))
      throw this.#frame.error(`map has no entry for key ${quote(name)}`);
    return elementOf(map, name);
  }

  #found({ name }: IdentifierNode): GoFunction {
    const found = this.#engine.functions.get(name);
    if (found === undefined) throw this.#frame.error(`${quote(name)} is not a defined function`);
    return found;
  }

  #call(
    dot: Held,
    called: GoFunction,
    node: Place,
    name: string,
    operands: readonly Operand[],
    final: Final,
  ): Held {
    const given = Math.max(operands.length - 1, 0);
    const count = given + (final === MISSING ? 0 : 1);
    const fixed = called.takes.length;
    if (called.rest !== undefined && count < fixed) {
      throw this.#frame.error(`wrong number of args for ${name}: want at least ${fixed} got ${given}`);
    }
    if (called.rest === undefined && count !== fixed) {
      throw this.#frame.error(`wrong number of args for ${name}: want ${fixed} got ${count}`);
    }
    if (called === AND || called === OR) return this.#shortCircuit(dot, called === OR, operands, final);
    const args: (Value | undefined)[] = [];
    for (let at = 0; at < given; at++) {
      args.push(this.#argument(dot, called.takes[at] ?? called.rest!, operands[at + 1]!));
    }
    if (final !== MISSING) args.push(this.#convert(final, called.takes[given] ?? called.rest!));
    try {
      if (called === CALL) throw callError(operands[1] === undefined ? '' : show(operands[1]), args[0]);
      const result = called.run(this.#world, args);
      if (typeof result === 'string') this.#world.charge(result.length);
      if (called.gives !== 'interface {}' || result instanceof Interface) return result;
      return boxed(result ?? null);
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      this.#frame.node = node;
      throw this.#frame.error(`error calling ${name}: ${error.message}`, error);
    }
  }

  #shortCircuit(dot: Held, isOr: boolean, operands: readonly Operand[], final: Final): Held {
    let value: Held;
    for (let at = 1; at < operands.length; at++) {
      value = this.#value(dot, operands[at]!);
      if (isTrue(held(value)) === isOr) return value;
    }
    return final === MISSING ? value : final;
  }

  /** An operand for a parameter of type reflect.Value, the interface around it kept. */
  #value(dot: Held, node: Operand): Held {
    this.#frame.node = node;
    switch (node.kind) {
      case 'nil':
        return undefined;
      case 'bool':
      case 'string':
        return node.value;
      case 'number':
        return this.#converted(idealNumber(node));
      default:
        return this.#operand(dot, node);
    }
  }

  #argument(dot: Held, type: keyof GoTypes, node: Operand): Value | undefined {
    this.#frame.node = node;
    switch (node.kind) {
      case 'nil':
        return this.#converted(convertNil(type));
      case 'bool':
      case 'string':
      case 'number':
        return this.#converted(convertConstant(node, type));
      default:
        return this.#convert(this.#operand(dot, node), type);
    }
  }

  /** What an operand that is no constant is. */
  #operand(dot: Held, node: Operand): Held {
    this.#frame.node = node;
    switch (node.kind) {
      case 'dot':
        return dot;
      case 'field':
        return this.#fields(dot, dot, node, node.path, NO_OPERANDS, MISSING);
      case 'variable':
        return this.#variableFields(dot, node, NO_OPERANDS, MISSING);
      case 'pipe':
        return this.pipeline(dot, node);
      case 'identifier':
        return this.#call(dot, this.#found(node), node, node.name, NO_OPERANDS, MISSING);
      case 'chain':
        return this.#chain(dot, node, NO_OPERANDS, MISSING);
      default:
        throw this.#frame.error(`can't handle assignment of ${show(node)} to empty interface argument`);
    }
  }

  #convert(value: Held, type: keyof GoTypes): Value | undefined {
    return this.#converted(convertArgument(value, type));
  }

  #converted(result: Converted): Value | undefined {
    if (typeof result === 'string') throw this.#frame.error(result);
    return result.value;
  }
}
