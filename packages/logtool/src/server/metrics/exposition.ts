/*
 * The text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4). This
 * server's few counters need so little of it that loading and updating prom-client (with tdigest and the OpenTelemetry
 * API) would cost more than it saves.
 */

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Readonly<Record<string, string>>;

/** One line of a family. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** All lines with one name. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly samples: readonly Sample[];
}

/** A value for each combination of labels. Labels come from closed sets, never from names that a person chose. */
export class Tally {
  readonly #samples = new Map<string, { readonly labels: Labels; value: number }>();

  add(labels: Labels, amount = 1): void {
    const key = labelText(labels);
    const sample = this.#samples.get(key);
    if (sample === undefined) this.#samples.set(key, { labels, value: amount });
    else sample.value += amount;
  }

  get samples(): readonly Sample[] {
    return [...this.#samples.values()];
  }
}

/** Renders families as one answer. */
export function exposition(families: readonly Family[]): string {
  return families
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
