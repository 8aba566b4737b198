import type { GoError } from './errors.ts';
import type { Held } from './held.ts';
import type { Tree } from './parse/node.ts';
import type { TemplateSet } from './parse/set.ts';

/** A template that a function returns instead of a value: the machine runs it and uses its text as the result. */
export class Nested {
  readonly set: TemplateSet;
  readonly tree: Tree;
  readonly data: Held;
  /** Returns the function's text for the template's output. */
  readonly finish: (text: string) => string;
  /** Returns the function's error for the template's error. */
  readonly wrap: (error: GoError) => GoError;

  constructor(set: TemplateSet, tree: Tree, data: Held, { finish, wrap }: Pick<Nested, 'finish' | 'wrap'>) {
    this.set = set;
    this.tree = tree;
    this.data = data;
    this.finish = finish;
    this.wrap = wrap;
  }
}
