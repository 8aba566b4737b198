import type { GoError } from './errors.ts';
import type { Held } from './held.ts';
import type { Tree } from './parse/node.ts';
import type { TemplateSet } from './parse/set.ts';

/** A template that a function gives instead of a value: the machine runs it, and its text is the function's value. */
export class Nested {
  readonly set: TemplateSet;
  readonly tree: Tree;
  readonly data: Held;
  /** The text that the function gives for what the template wrote. */
  readonly finish: (text: string) => string;
  /** The error of the function for one of the template. */
  readonly wrap: (error: GoError) => GoError;

  constructor(set: TemplateSet, tree: Tree, data: Held, { finish, wrap }: Pick<Nested, 'finish' | 'wrap'>) {
    this.set = set;
    this.tree = tree;
    this.data = data;
    this.finish = finish;
    this.wrap = wrap;
  }
}
