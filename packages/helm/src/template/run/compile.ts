import { verbatim } from '../../value/format.ts';
import { isTrue } from '../../value/truth.ts';
import { isGoObject } from '../../value/type.ts';
import type { Value } from '../../value/value.ts';
import { limitError } from '../budget.ts';
import { held } from '../held.ts';
import { countValues } from '../measure.ts';
import type { ActionNode, BranchNode, ListNode, Node, TemplateNode, Tree } from '../parse/node.ts';
import { addPipeline } from './compile-pipeline.ts';
import type { Code, Machine, Scope, Step } from './frame.ts';
import { Loop } from './loop.ts';
import type { Label } from './steps.ts';
import { NO_VALUE } from './template-call.ts';

const CODES = new WeakMap<Tree, Code>();

/** Returns the steps of a template, compiled on the first run. Throws CodedError `template-limit`. */
export function codeOf(tree: Tree): Code {
  const known = CODES.get(tree);
  if (known !== undefined) return known;
  const code = compiled(tree);
  CODES.set(tree, code);
  return code;
}

function compiled(tree: Tree): Code {
  const steps: Step[] = [];
  try {
    addList(steps, tree.root, undefined);
  } catch (error) {
    if (error instanceof RangeError) throw limitError({ of: 'nested-template' });
    throw error;
  }
  return steps;
}

/** The jump targets of `break` and `continue`. */
interface Exits {
  readonly loop: BranchNode;
  readonly next: Label;
  readonly end: Label;
}

function addList(steps: Step[], list: ListNode, exits: Exits | undefined): void {
  for (const node of list.nodes) addNode(steps, node, exits);
}

function addNode(steps: Step[], node: Node, exits: Exits | undefined): void {
  switch (node.kind) {
    case 'text':
      steps.push((machine) => {
        reach(machine, node);
        machine.write(node.text);
      });
      return;
    case 'action':
      addAction(steps, node);
      return;
    case 'if':
    case 'with':
      addCondition(steps, node, exits);
      return;
    case 'range':
      addRange(steps, node, exits);
      return;
    case 'template':
      addTemplate(steps, node);
      return;
    case 'break':
    case 'continue':
      // The parser guarantees that these are inside a range.
      steps.push((machine) => {
        reach(machine, node);
        const { frame } = machine;
        while (!isLoopOf(frame.scopes[frame.scopes.length - 1]!, exits!.loop)) frame.scopes.pop();
        frame.at = (node.kind === 'break' ? exits!.end : exits!.next).at;
      });
      return;
    default:
      node satisfies never;
  }
}

function isLoopOf(scope: Scope, node: BranchNode): boolean {
  return scope instanceof Loop && scope.node === node;
}

function reach(machine: Machine, node: Node): void {
  machine.frame.node = node;
  machine.engine.budget.step();
}

function addAction(steps: Step[], node: ActionNode): void {
  steps.push((machine) => reach(machine, node));
  addPipeline(steps, node.pipe);
  if (node.pipe.variables.length > 0) {
    steps.push((machine) => machine.pop());
    return;
  }
  steps.push((machine) => {
    const value = held(machine.pop());
    machine.frame.node = node;
    machine.engine.budget.charge(countValues(value));
    machine.write(value === undefined ? NO_VALUE : printed(value));
  });
}

function printed(value: Value): string {
  return (isGoObject(value) ? value.printed?.() : undefined) ?? verbatim(value);
}

function addCondition(steps: Step[], node: BranchNode, exits: Exits | undefined): void {
  const otherwise: Label = { at: 0 };
  const end: Label = { at: 0 };
  steps.push((machine) => {
    reach(machine, node);
    const { frame } = machine;
    frame.scopes.push({ mark: frame.mark, dot: frame.dot });
  });
  addPipeline(steps, node.pipe);
  steps.push((machine) => {
    const value = machine.pop();
    if (!isTrue(held(value))) machine.frame.at = otherwise.at;
    else if (node.kind === 'with') machine.frame.dot = value;
  });
  addList(steps, node.list, exits);
  if (node.otherwise !== undefined) {
    steps.push(jumpTo(end));
    otherwise.at = steps.length;
    addList(steps, node.otherwise, exits);
  } else {
    otherwise.at = steps.length;
  }
  end.at = steps.length;
  steps.push(leaveScope);
}

function jumpTo(label: Label): Step {
  return ({ frame }) => {
    frame.at = label.at;
  };
}

function leaveScope({ frame }: Machine): void {
  const { mark, dot } = frame.scopes.pop()!;
  frame.forget(mark);
  frame.dot = dot;
}

function addRange(steps: Step[], node: BranchNode, exits: Exits | undefined): void {
  const next: Label = { at: 0 };
  const otherwise: Label = { at: 0 };
  const end: Label = { at: 0 };
  steps.push((machine) => {
    reach(machine, node);
    const { frame } = machine;
    frame.scopes.push(new Loop(node, frame.mark, frame.dot));
  });
  addPipeline(steps, node.pipe);
  steps.push((machine) => {
    const { frame } = machine;
    if (!loopOf(machine).start(frame, machine.pop())) frame.at = otherwise.at;
    else machine.engine.budget.step();
  });
  const body = steps.length;
  addList(steps, node.list, { loop: node, next, end });
  next.at = steps.length;
  steps.push((machine) => {
    if (!loopOf(machine).next(machine.frame)) {
      machine.frame.at = end.at;
      return;
    }
    machine.engine.budget.step();
    machine.frame.at = body;
  });
  otherwise.at = steps.length;
  // `break` in here belongs to the enclosing range.
  if (node.otherwise !== undefined) addList(steps, node.otherwise, exits);
  end.at = steps.length;
  steps.push(leaveScope);
}

function loopOf({ frame }: Machine): Loop {
  return frame.scopes[frame.scopes.length - 1] as Loop;
}

function addTemplate(steps: Step[], node: TemplateNode): void {
  const { pipe } = node;
  steps.push((machine) => {
    reach(machine, node);
    machine.called(node);
  });
  if (pipe !== undefined) addPipeline(steps, pipe);
  steps.push((machine) => {
    const data = pipe === undefined ? undefined : machine.pop();
    machine.runWithin(machine.called(node), data);
  });
}
