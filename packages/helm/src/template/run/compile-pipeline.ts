import { quote } from '../../value/quote.ts';
import { isTrue } from '../../value/truth.ts';
import { type Held, held } from '../held.ts';
import type {
  BoolNode,
  CommandNode,
  DotNode,
  IdentifierNode,
  NumberNode,
  Operand,
  PipeNode,
  StringNode,
} from '../parse/node.ts';
import { type SourceNode, show } from '../parse/show.ts';
import { addArgument, converted, nextType } from './calls.ts';
import { convertConstant, convertNil, idealNumber } from './convert.ts';
import { fieldOf, methodOf, plainFieldOf } from './field.ts';
import type { Machine, Step } from './frame.ts';
import { addNotAFunction, begin, dotFor, type Label, pointAt, pushDot, unwrap } from './steps.ts';

const NO_OPERANDS: readonly Operand[] = [];

/** Adds steps that push the value of a pipeline; variables that it declares stay. */
export function addPipeline(steps: Step[], pipe: PipeNode): void {
  steps.push(pointAt(pipe));
  pipe.commands.forEach((command, index) => {
    addCommand(steps, command, index > 0);
    steps.push(unwrap);
  });
  for (const { path } of pipe.variables) {
    const name = path[0]!;
    steps.push(
      pipe.isAssignment
        ? (machine) => machine.frame.assign(name, machine.top)
        : (machine) => machine.frame.declare(name, machine.top),
    );
  }
}

/** `hasFinal`: the value of the previous command is on top of the stack, as the last argument. */
function addCommand(steps: Step[], command: CommandNode, hasFinal: boolean): void {
  const { args } = command;
  const first = args[0]!;
  switch (first.kind) {
    case 'field':
      addFields(steps, { node: first, path: first.path, args, hasFinal, receiver: dotFor(first) });
      return;
    case 'chain':
      addChain(steps, first, args, hasFinal);
      return;
    case 'identifier':
      addFunction(steps, { node: first, errorNode: command, args, hasFinal });
      return;
    case 'variable':
      addVariable(steps, first, args, hasFinal);
      return;
    case 'pipe':
      addNotAFunction(steps, args, hasFinal);
      addPipeline(steps, first);
      return;
    case 'dot':
    case 'nil':
    case 'number':
    case 'bool':
    case 'string':
      steps.push(pointAt(first));
      addNotAFunction(steps, args, hasFinal);
      addFirstValue(steps, first);
      return;
    default:
      first satisfies never;
  }
}

function addFirstValue(steps: Step[], first: DotNode | BoolNode | StringNode | NumberNode): void {
  switch (first.kind) {
    case 'dot':
      steps.push((machine) => machine.push(machine.frame.dot));
      return;
    case 'nil':
      steps.push(({ frame }) => {
        throw frame.error('nil is not a command');
      });
      return;
    case 'number':
      steps.push((machine) => machine.push(converted(machine.frame, idealNumber(first))));
      return;
    case 'bool':
    case 'string':
      steps.push((machine) => machine.push(first.value));
      return;
    default:
      first satisfies never;
  }
}

function addChain(
  steps: Step[],
  node: Operand & { kind: 'chain' },
  args: readonly Operand[],
  hasFinal: boolean,
): void {
  steps.push(pointAt(node));
  if (node.of.kind === 'nil') {
    steps.push(({ frame }) => {
      throw frame.error(`indirection through explicit nil in ${show(node)}`);
    });
    return;
  }
  addOperand(steps, node.of);
  addFields(steps, { node, path: node.path, args, hasFinal, receiver: (machine) => machine.pop() });
}

function addVariable(
  steps: Step[],
  node: Operand & { kind: 'variable' },
  args: readonly Operand[],
  hasFinal: boolean,
): void {
  const [name, ...path] = node.path;
  const receiver = ({ frame }: Machine): Held => {
    frame.node = node;
    return frame.valueOf(name!);
  };
  if (path.length > 0) {
    addFields(steps, { node, path, args, hasFinal, receiver });
    return;
  }
  steps.push((machine) => machine.push(receiver(machine)));
  addNotAFunction(steps, args, hasFinal);
}

interface FieldPath {
  readonly node: Operand;
  readonly path: readonly string[];
  readonly args: readonly Operand[];
  readonly hasFinal: boolean;
  readonly receiver: (machine: Machine) => Held;
}

/** Adds steps for `.a.b.c`, whose last name may be a method that receives the arguments. */
function addFields(steps: Step[], { node, path, args, hasFinal, receiver }: FieldPath): void {
  const walk = (machine: Machine, fields: readonly string[]): Held => {
    let value = receiver(machine);
    for (const name of fields) {
      value = plainFieldOf(machine.frame, value, name, node);
    }
    return value;
  };
  if (args.length <= 1 && !hasFinal) {
    steps.push((machine) => machine.push(walk(machine, path)));
    return;
  }
  const outer = path.slice(0, -1);
  const name = path[path.length - 1]!;
  const end: Label = { at: 0 };
  steps.push((machine) => {
    const { frame } = machine;
    const value = walk(machine, outer);
    const called = methodOf(frame, value, name);
    if (called !== undefined) {
      begin(machine, { called, name, errorNode: node, operands: args, args: [] }, hasFinal);
      return;
    }
    const field = fieldOf(frame, value, { name, hasArguments: true });
    if (hasFinal) machine.pop();
    machine.push(field);
    frame.at = end.at;
  });
  addArguments(steps, args, hasFinal);
  end.at = steps.length;
}

function addArguments(steps: Step[], operands: readonly Operand[], hasFinal: boolean): void {
  for (let at = 1; at < operands.length; at++) addArgumentOf(steps, operands[at]!);
  steps.push((machine) => {
    if (hasFinal) addArgument(machine.frame, machine.call, machine.pop());
    machine.invoke();
  });
}

interface FunctionUse {
  readonly node: IdentifierNode;
  /** The node that errors of the function point at. */
  readonly errorNode: SourceNode;
  readonly args: readonly Operand[];
  readonly hasFinal: boolean;
}

function addFunction(steps: Step[], { node, errorNode, args, hasFinal }: FunctionUse): void {
  const { name } = node;
  steps.push((machine) => {
    const { frame, engine } = machine;
    frame.node = node;
    const called = engine.functions.get(name);
    if (called === undefined) throw frame.error(`${quote(name)} is not a defined function`);
    begin(machine, { called, name, errorNode, operands: args, args: [] }, hasFinal);
  });
  if (name === 'and' || name === 'or') addShortCircuit(steps, name === 'or', args, hasFinal);
  else addArguments(steps, args, hasFinal);
}

/** Adds steps for `and` and `or`, which stop at the deciding argument; the value is that of the last evaluated one. */
function addShortCircuit(
  steps: Step[],
  isOr: boolean,
  operands: readonly Operand[],
  hasFinal: boolean,
): void {
  steps.push((machine) => machine.drop());
  const end: Label = { at: 0 };
  const last = operands.length - 1;
  for (let at = 1; at <= last; at++) {
    addValue(steps, operands[at]!);
    steps.push((machine) => {
      const value = machine.pop();
      const decides = isTrue(held(value)) === isOr;
      if (decides && hasFinal) machine.pop();
      if (decides || (at === last && !hasFinal)) machine.push(value);
      if (decides) machine.frame.at = end.at;
    });
  }
  end.at = steps.length;
}

/** Adds an operand for a parameter of type reflect.Value, and keeps the interface around it. */
function addValue(steps: Step[], node: Operand): void {
  switch (node.kind) {
    case 'nil':
      steps.push(pointAt(node), (machine) => machine.push(undefined));
      return;
    case 'bool':
    case 'string':
      steps.push(pointAt(node), (machine) => machine.push(node.value));
      return;
    case 'number':
      steps.push(pointAt(node), (machine) => machine.push(converted(machine.frame, idealNumber(node))));
      return;
    case 'chain':
    case 'dot':
    case 'field':
    case 'identifier':
    case 'pipe':
    case 'variable':
      addOperand(steps, node);
      return;
    default:
      node satisfies never;
  }
}

/** Adds an operand as the next argument of the current call. */
function addArgumentOf(steps: Step[], node: Operand): void {
  switch (node.kind) {
    case 'nil':
      steps.push(({ frame, call }) => {
        frame.node = node;
        call.args.push(converted(frame, convertNil(nextType(call))));
      });
      return;
    case 'bool':
    case 'string':
    case 'number':
      steps.push(({ frame, call }) => {
        frame.node = node;
        call.args.push(converted(frame, convertConstant(node, nextType(call))));
      });
      return;
    case 'chain':
    case 'dot':
    case 'field':
    case 'identifier':
    case 'pipe':
    case 'variable':
      addOperand(steps, node);
      steps.push((machine) => addArgument(machine.frame, machine.call, machine.pop()));
      return;
    default:
      node satisfies never;
  }
}

/** Adds an operand that is not a constant. */
function addOperand(steps: Step[], node: Operand): void {
  switch (node.kind) {
    case 'dot':
      steps.push(pushDot(node));
      return;
    case 'field':
      addFields(steps, {
        node,
        path: node.path,
        args: NO_OPERANDS,
        hasFinal: false,
        receiver: dotFor(node),
      });
      return;
    case 'variable':
      addVariable(steps, node, NO_OPERANDS, false);
      return;
    case 'pipe':
      addPipeline(steps, node);
      return;
    case 'identifier':
      addFunction(steps, { node, errorNode: node, args: NO_OPERANDS, hasFinal: false });
      return;
    case 'chain':
      addChain(steps, node, NO_OPERANDS, false);
      return;
    case 'bool':
    case 'nil':
    case 'number':
    case 'string':
      steps.push(({ frame }) => {
        frame.node = node;
        throw frame.error(`can't handle assignment of ${show(node)} to empty interface argument`);
      });
      return;
    default:
      node satisfies never;
  }
}
