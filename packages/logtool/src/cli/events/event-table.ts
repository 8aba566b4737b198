import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { Fact, FactSubject } from '../../domain/facts/fact.ts';
import { factLabel, factText } from '../../messages/facts.ts';
import { factJson } from '../output/facts/fact-json.ts';
import { escapeJson } from '../output/format/escape-json.ts';
import { createTimeFormat, type TimeFormat, wholeSeconds } from '../output/format/time-format.ts';
import type { EventsPlan } from '../plan/events/events-plan.ts';

const TITLES = ['TIMESTAMP', 'TYPE', 'REASON', 'OBJECT'] as const;
const GAP = '  ';
const TYPES = { normal: 'Normal', warning: 'Warning', fatal: 'Fatal' } as const;

/**
 * Formats facts in the columns of `kubectl events`, with times instead of ages. Columns grow and never
 * shrink.
 */
export class EventTable {
  readonly #output: EventsPlan['output'];
  readonly #isTerminal: boolean;
  readonly #time: TimeFormat;
  readonly #whole: TimeFormat;
  readonly #widths: number[];
  #namespace: string | undefined;
  #hasNamespaces = false;
  isEmpty = true;

  constructor(output: EventsPlan['output'], isTerminal: boolean) {
    this.#output = output;
    this.#isTerminal = isTerminal;
    this.#time = createTimeFormat(output.timezone);
    this.#whole = wholeSeconds(this.#time);
    this.#widths = TITLES.map((title) => title.length);
    this.#widths[0] = this.#time.width;
  }

  /** Returns the lines of facts; the first time, after the header. */
  rows(facts: readonly Fact[]): string {
    if (this.#output.format === 'json') return facts.map((fact) => `${this.#jsonOf(fact)}\n`).join('');
    for (const { subject } of facts) this.#seeNamespace(subject.namespace);
    const rows = facts.map((fact) => this.#cellsOf(fact));
    for (const row of rows)
      row.slice(0, -1).forEach((cell, index) => {
        this.#widths[index] = Math.max(this.#widths[index] ?? 0, cell.length);
      });
    const head = this.isEmpty && this.#output.header ? [[...TITLES, 'MESSAGE']] : [];
    this.isEmpty = false;
    return [...head, ...rows].map((row) => `${this.#line(row)}\n`).join('');
  }

  #jsonOf(fact: Fact): string {
    this.isEmpty = false;
    const json = factJson(fact, this.#time);
    return this.#isTerminal ? escapeJson(json) : json;
  }

  /** Shows namespaces with names once there are several. */
  #seeNamespace(namespace: string): void {
    if (namespace === '') return;
    this.#namespace ??= namespace;
    this.#hasNamespaces ||= namespace !== this.#namespace;
  }

  #cellsOf(fact: Fact): readonly string[] {
    const time = (fact.precision === 's' ? this.#whole : this.#time).format(fact.until ?? fact.at);
    const cells = [TYPES[fact.severity], factLabel(fact), this.#objectOf(fact.subject), factText(fact)];
    return [time, ...cells.map(sanitizeText)];
  }

  #objectOf({ kind, namespace, name, container }: FactSubject): string {
    const within = this.#hasNamespaces && namespace !== '' ? `${namespace}:` : '';
    return `${within}${kind.toLowerCase()}/${name}${container === undefined ? '' : `/${container}`}`;
  }

  #line(row: readonly string[]): string {
    return row
      .map((cell, index) => (index < TITLES.length ? cell.padEnd(this.#widths[index] ?? 0) : cell))
      .join(GAP);
  }
}
