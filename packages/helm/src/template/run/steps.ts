import { fromInterface, type Held, Interface } from '../held.ts';
import type { Operand } from '../parse/node.ts';
import { type SourceNode, show } from '../parse/show.ts';
import { checkCount } from './calls.ts';
import type { Call, Machine, Step } from './frame.ts';

/** A position in code that does not exist yet. */
export interface Label {
  at: number;
}

export function pointAt(node: SourceNode): Step {
  return ({ frame }) => {
    frame.node = node;
  };
}

/** Unwraps an interface{}; nil becomes no value. */
export function unwrap(machine: Machine): void {
  if (machine.top instanceof Interface) machine.push(fromInterface((machine.pop() as Interface).value));
}

export function addNotAFunction(steps: Step[], args: readonly Operand[], hasFinal: boolean): void {
  if (args.length <= 1 && !hasFinal) return;
  steps.push(({ frame }) => {
    throw frame.error(`can't give argument to non-function ${show(args[0]!)}`);
  });
}

export function dotFor(node: Operand): (machine: Machine) => Held {
  return ({ frame }) => {
    frame.node = node;
    return frame.dot;
  };
}

export function pushDot(node: Operand): Step {
  const dot = dotFor(node);
  return (machine) => machine.push(dot(machine));
}

export function begin(machine: Machine, call: Call, hasFinal: boolean): void {
  checkCount(machine.frame, call, hasFinal);
  machine.begin(call);
}
