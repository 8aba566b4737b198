import { quote } from '../value/quote.ts';
import { ExecError, type GoError } from './errors.ts';
import type { Held } from './held.ts';
import { location, type Place, show } from './show.ts';

interface Variable {
  readonly name: string;
  value: Held;
}

/** Where an execution is: the template, its variables, and the node that errors point at. */
export class Frame {
  #name: string;
  #variables: Variable[];
  node: Place | undefined;

  constructor(name: string, data: Held) {
    this.#name = name;
    this.#variables = [{ name: '$', value: data }];
  }

  /** How many variables there are, to come back to by `forget`. */
  get mark(): number {
    return this.#variables.length;
  }

  forget(mark: number): void {
    this.#variables.length = mark;
  }

  declare(name: string, value: Held): void {
    this.#variables.push({ name, value });
  }

  assign(name: string, value: Held): void {
    this.#variable(name).value = value;
  }

  valueOf(name: string): Held {
    return this.#variable(name).value;
  }

  /** Sets the variable that was declared last, or `before` it. */
  setLast(before: number, value: Held): void {
    this.#variables[this.#variables.length - 1 - before]!.value = value;
  }

  /** Runs another template inside this one: it sees nothing of the variables here. */
  within(name: string, data: Held, run: () => void): void {
    const outer = [this.#name, this.#variables] as const;
    this.#name = name;
    this.#variables = [{ name: '$', value: data }];
    run();
    [this.#name, this.#variables] = outer;
  }

  #variable(name: string): Variable {
    for (let at = this.#variables.length - 1; at >= 0; at--) {
      const variable = this.#variables[at]!;
      if (variable.name === name) return variable;
    }
    throw this.error(`undefined variable: ${name}`);
  }

  error(message: string, wrapped?: GoError): ExecError {
    if (this.node === undefined) return new ExecError(`template: ${this.#name}: ${message}`, wrapped);
    const where = `template: ${location(this.node)}: executing ${quote(this.#name)} at <${show(this.node)}>`;
    return new ExecError(`${where}: ${message}`, wrapped);
  }
}
