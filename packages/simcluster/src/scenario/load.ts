import { readFile, stat } from 'node:fs/promises';
import { nodeAt, readYamlNodes } from '@logtool/kube/src/yaml/nodes.ts';
import { unfoldsBeyond } from '@logtool/kube/src/yaml/unfolded.ts';
import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import type { z } from 'zod';
import { SimClusterError } from '../simcluster-error.ts';
import { type Scenario, scenarioSchema } from './schema.ts';

/** Far more than any scenario needs; stops reading a log given by mistake. */
const LIMIT_BYTES = 10 * 1024 * 1024;

/** Limit of values after aliases are expanded. */
const MAX_VALUES = 1_000_000;

/**
 * Loads a YAML (or JSON) file by its path, or checks a scenario object. Throws a SimClusterError that names file, line
 * and path.
 */
export async function loadScenario(source: unknown): Promise<Scenario> {
  if (typeof source !== 'string') return checked(source, 'the scenario', () => undefined);
  let text: string;
  try {
    const info = await stat(source);
    // Reading a pipe or a device might never end.
    if (!info.isFile()) throw new Error('it is not a regular file');
    if (info.size > LIMIT_BYTES) throw new Error('it is larger than 10 MiB');
    text = await readFile(source, 'utf8');
  } catch (cause) {
    throw invalid(`cannot read the scenario ${source}`, String((cause as Error).message), cause);
  }
  return parseScenario(text, source);
}

/** Parses the text of a scenario; errors refer to it as `file`. */
export function parseScenario(text: string, file: string): Scenario {
  let value: unknown;
  try {
    value = load(text, { schema: CORE_SCHEMA.withTags(mergeTag), maxAliases: 1000 });
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause;
    const position = cause.mark === undefined ? file : `${file}:${cause.mark.line + 1}`;
    throw invalid(`${position}: the scenario is not valid YAML`, cause.reason, cause);
  }
  if (unfoldsBeyond(value, MAX_VALUES))
    throw invalid(`${file}: cannot read the scenario`, 'its aliases unfold to too many values', undefined);
  return checked(value, file, (path) => {
    const [root] = readYamlNodes(text);
    for (let depth = path.length; depth >= 0; depth--) {
      const node = nodeAt(root, path.slice(0, depth));
      if (node !== undefined) return node.line;
    }
    return undefined;
  });
}

function checked(
  value: unknown,
  file: string,
  lineOf: (path: readonly PropertyKey[]) => number | undefined,
): Scenario {
  const result = scenarioSchema.safeParse(value);
  if (result.success) return expandCopies(result.data);
  const found = result.error.issues.map(deepest).slice(0, 5);
  const texts = found.map((issue) => {
    const line = lineOf(issue.path);
    return `${file}${line === undefined ? '' : `:${line}`}: ${pathText(issue.path)}: ${issue.message}`;
  });
  throw invalid(texts[0] ?? file, texts.slice(1).join('\n') || undefined, result.error);
}

/** Returns the issue that reached deepest into the value of a union, because it is the most helpful. */
function deepest(issue: z.core.$ZodIssue): { path: readonly PropertyKey[]; message: string } {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors
    .flat()
    .map(deepest)
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (inner === undefined || inner.path.length === 0) return issue;
  return { path: [...issue.path, ...inner.path], message: inner.message };
}

/** Formats `workloads[2].containers[0].name`. */
function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '') || 'the scenario';
}

function invalid(what: string, why: string | undefined, cause: unknown): SimClusterError {
  const next = 'scenarios/schema.json describes the fields';
  const problem = why === undefined ? { what, next } : { what, why, next };
  return new SimClusterError('scenario-invalid', problem, { exit: 'usage', cause });
}

/** Expands each node and workload with `copies`, so that later code does not need to know about them. */
function expandCopies(scenario: Scenario): Scenario {
  const { namespaces } = scenario;
  return {
    ...scenario,
    nodes: scenario.nodes.flatMap(copiesOf),
    workloads: scenario.workloads.flatMap((workload) =>
      copiesOf(workload).map((copy, index) => {
        const namespace = workload.spread ? namespaces[index % namespaces.length] : copy.namespace;
        return namespace === undefined ? copy : { ...copy, namespace };
      }),
    ),
  };
}

function copiesOf<T extends { readonly name: string; readonly copies?: number | undefined }>(one: T): T[] {
  const { copies } = one;
  if (copies === undefined) return [one];
  return Array.from({ length: copies }, (_, index) => ({ ...one, name: `${one.name}-${index + 1}` }));
}
