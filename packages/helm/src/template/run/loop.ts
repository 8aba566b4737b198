import { verbatim } from '../../value/format.ts';
import { GoInt } from '../../value/value.ts';
import { type Held, held } from '../held.ts';
import type { BranchNode } from '../parse/node.ts';
import { elements } from './elements.ts';
import type { Frame, Scope } from './frame.ts';

type Elements = Iterator<readonly [Held, Held]>;

/** An active `range`. */
export class Loop implements Scope {
  readonly mark: number;
  readonly dot: Held;
  readonly node: BranchNode;
  #elements: Elements | undefined;
  /** The number of variables at the start of each element. */
  #innerMark = 0;

  constructor(node: BranchNode, mark: number, dot: Held) {
    this.node = node;
    this.mark = mark;
    this.dot = dot;
  }

  /** Moves to the first element of a value; returns false if it is empty. Throws ExecError if it is not iterable. */
  start(frame: Frame, value: Held): boolean {
    this.#innerMark = frame.mark;
    this.#elements = this.#elementsOf(frame, value)[Symbol.iterator]();
    return this.next(frame);
  }

  /** Moves to the next element; returns false at the end. */
  next(frame: Frame): boolean {
    frame.forget(this.#innerMark);
    const next = this.#elements!.next();
    if (next.done === true) return false;
    const [index, element] = next.value;
    this.#setVariables(frame, index, element);
    frame.dot = element;
    return true;
  }

  #setVariables(frame: Frame, index: Held, element: Held): void {
    const { variables, isAssignment } = this.node.pipe;
    const [first, second] = variables;
    if (first === undefined) return;
    if (!isAssignment) {
      frame.setLast(0, element);
      if (second !== undefined) frame.setLast(1, index);
    } else if (second === undefined) {
      frame.assign(first.path[0]!, element);
    } else {
      frame.assign(first.path[0]!, index);
      frame.assign(second.path[0]!, element);
    }
  }

  /** Returns what range iterates over, as pairs of index or key and element. */
  #elementsOf(frame: Frame, value: Held): Iterable<readonly [Held, Held]> {
    const inner = held(value);
    if (inner === undefined || inner === null) return [];
    if (inner instanceof GoInt && this.node.pipe.variables.length > 1) {
      throw frame.error(`can't use ${verbatim(inner)} to iterate over more than one variable`);
    }
    const found = elements(inner);
    if (found === undefined) throw frame.error(`range can't iterate over ${verbatim(inner)}`);
    return found;
  }
}
