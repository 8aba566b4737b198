import type { Tree } from './node.ts';
import { isEmptyTree, parseTemplate } from './parse.ts';

/** Named templates that can see each other. `tpl` creates its own set on top of the current one. */
export class TemplateSet {
  readonly #trees = new Map<string, Tree>();
  readonly #below: TemplateSet | undefined;
  readonly #isFunction: (name: string) => boolean;

  constructor(isFunction: (name: string) => boolean, below?: TemplateSet) {
    this.#isFunction = isFunction;
    this.#below = below;
  }

  lookup(name: string): Tree | undefined {
    for (let set: TemplateSet | undefined = this; set !== undefined; set = set.#below) {
      const tree = set.#trees.get(name);
      if (tree !== undefined) return tree;
    }
    return undefined;
  }

  /** Returns a set that sees all of this one's templates but keeps its own from this one. */
  above(): TemplateSet {
    return new TemplateSet(this.#isFunction, this);
  }

  /**
   * Adds a text's templates, and returns its own. A later definition of a name wins, unless it is only space. Throws
   * ParseError.
   */
  parse(name: string, text: string): Tree {
    const trees = parseTemplate(name, text, this.#isFunction);
    for (const [defined, tree] of trees) {
      if (!isEmptyTree(tree.root) || this.lookup(defined) === undefined) this.#trees.set(defined, tree);
    }
    return trees.get(name)!;
  }
}
