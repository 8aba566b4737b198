import { verbatim } from '../value/format.ts';
import { quote } from '../value/quote.ts';
import { isTrue } from '../value/truth.ts';
import { isGoObject } from '../value/type.ts';
import { GoInt, type Value } from '../value/value.ts';
import { NO_VALUE, TemplateCall } from './call.ts';
import { elements } from './elements.ts';
import type { Engine } from './engine.ts';
import { Evaluator } from './evaluate.ts';
import { Frame } from './frame.ts';
import { type Held, held } from './held.ts';
import type { BranchNode, ListNode, Node, PipeNode, TemplateNode, Tree } from './node.ts';
import type { TemplateSet } from './set.ts';

const DEEPEST_TEMPLATE = 100_000;

/** How walking a node ended: `break` and `continue` go up to the range around. */
type Way = 'on' | 'break' | 'continue';

/**
 * Runs a tree on data and returns its text. Throws ExecError, worded as text/template's, and LogtoolError for limits.
 */
export function executeTree(engine: Engine, set: TemplateSet, tree: Tree, data: Held): string {
  const execution = new Execution(engine, set, tree.name, data);
  execution.walkList(data, tree.root);
  return execution.text;
}

/** One execution of one template, with the templates that it calls by `{{template}}`. */
class Execution {
  readonly #engine: Engine;
  readonly #set: TemplateSet;
  readonly #frame: Frame;
  readonly #evaluator: Evaluator;
  #depth = 0;
  text = '';

  constructor(engine: Engine, set: TemplateSet, name: string, data: Held) {
    this.#engine = engine;
    this.#set = set;
    this.#frame = new Frame(name, data);
    this.#evaluator = new Evaluator(engine, this.#frame, new TemplateCall(engine, set, executeTree));
  }

  walkList(dot: Held, list: ListNode): Way {
    for (const node of list.nodes) {
      const way = this.#walk(dot, node);
      if (way !== 'on') return way;
    }
    return 'on';
  }

  #walk(dot: Held, node: Node): Way {
    this.#frame.node = node;
    this.#engine.budget.step();
    switch (node.kind) {
      case 'text':
        this.#write(node.text);
        return 'on';
      case 'action': {
        const value = this.#evaluator.pipeline(dot, node.pipe);
        if (node.pipe.variables.length > 0) return 'on';
        this.#frame.node = node;
        this.#write(value === undefined ? NO_VALUE : printed(held(value)!));
        return 'on';
      }
      case 'if':
      case 'with':
        return this.#walkCondition(dot, node);
      case 'range':
        return this.#walkRange(dot, node);
      case 'template':
        this.#walkTemplate(dot, node);
        return 'on';
      case 'break':
      case 'continue':
        return node.kind;
    }
  }

  #write(text: string): void {
    this.#engine.budget.charge(text.length);
    this.text += text;
  }

  #walkCondition(dot: Held, node: BranchNode): Way {
    const mark = this.#frame.mark;
    const value = this.#evaluator.pipeline(dot, node.pipe);
    let way: Way = 'on';
    if (isTrue(held(value))) way = this.walkList(node.kind === 'with' ? value : dot, node.list);
    else if (node.otherwise !== undefined) way = this.walkList(dot, node.otherwise);
    this.#frame.forget(mark);
    return way;
  }

  #walkRange(dot: Held, node: BranchNode): Way {
    const outer = this.#frame.mark;
    const value = this.#evaluator.pipeline(dot, node.pipe);
    const mark = this.#frame.mark;
    let isEmpty = true;
    for (const [index, element] of this.#elements(node, value)) {
      isEmpty = false;
      this.#engine.budget.step();
      this.#setLoopVariables(node.pipe, index, element);
      const way = this.walkList(element, node.list);
      this.#frame.forget(mark);
      if (way === 'break') break;
    }
    const way = isEmpty && node.otherwise !== undefined ? this.walkList(dot, node.otherwise) : 'on';
    this.#frame.forget(outer);
    return way;
  }

  #setLoopVariables({ variables, isAssignment }: PipeNode, index: Held, element: Held): void {
    const [first, second] = variables;
    if (first === undefined) return;
    if (!isAssignment) {
      this.#frame.setLast(0, element);
      if (second !== undefined) this.#frame.setLast(1, index);
    } else if (second === undefined) {
      this.#frame.assign(first.path[0]!, element);
    } else {
      this.#frame.assign(first.path[0]!, index);
      this.#frame.assign(second.path[0]!, element);
    }
  }

  /** What range goes over, as pairs of index or key and element. */
  #elements(node: BranchNode, value: Held): Iterable<readonly [Held, Held]> {
    const inner = held(value);
    if (inner === undefined || inner === null) return [];
    if (inner instanceof GoInt && node.pipe.variables.length > 1) {
      throw this.#frame.error(`can't use ${verbatim(inner)} to iterate over more than one variable`);
    }
    const found = elements(inner);
    if (found === undefined) throw this.#frame.error(`range can't iterate over ${verbatim(inner)}`);
    return found;
  }

  #walkTemplate(dot: Held, node: TemplateNode): void {
    const tree = this.#set.lookup(node.name);
    if (tree === undefined) throw this.#frame.error(`template ${quote(node.name)} not defined`);
    if (this.#depth === DEEPEST_TEMPLATE) {
      throw this.#frame.error(`exceeded maximum template depth (${DEEPEST_TEMPLATE})`);
    }
    const data = node.pipe === undefined ? undefined : this.#evaluator.pipeline(dot, node.pipe);
    this.#depth++;
    try {
      this.#frame.within(tree.name, data, () => this.walkList(data, tree.root));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#frame.node = node;
      throw this.#frame.error(`exceeded maximum template depth (${DEEPEST_TEMPLATE})`);
    }
    this.#depth--;
  }
}

function printed(value: Value): string {
  return (isGoObject(value) ? value.printed?.() : undefined) ?? verbatim(value);
}
