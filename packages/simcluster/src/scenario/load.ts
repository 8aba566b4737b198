import { readFile, stat } from 'node:fs/promises';
import { nodeAt, readYamlNodes } from '@logtool/kube/src/yaml/nodes.ts';
import { unfoldsBeyond } from '@logtool/kube/src/yaml/unfolded.ts';
import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import type { z } from 'zod';
import { SimClusterError } from '../simcluster-error.ts';
import { type Scenario, scenarioSchema } from './schema.ts';

/** Far more than any scenario needs: a log given by mistake ends here. */
const LIMIT_BYTES = 10 * 1024 * 1024;

/** What its aliases may unfold to. */
const MAX_VALUES = 1_000_000;

/** A path of a YAML (or JSON) file, or the scenario itself. Throws a SimClusterError that names file, line and path. */
export async function loadScenario(source: unknown): Promise<Scenario> {
  if (typeof source !== 'string') return checked(source, 'the scenario', () => undefined);
  let text: string;
  try {
    const info = await stat(source);
    // A pipe or a device may never end.
    if (!info.isFile()) throw new Error('it is not a regular file');
    if (info.size > LIMIT_BYTES) throw new Error('it is larger than 10 MiB');
    text = await readFile(source, 'utf8');
  } catch (cause) {
    throw invalid(`cannot read the scenario ${source}`, String((cause as Error).message), cause);
  }
  return parseScenario(text, source);
}

/** Reads the text of a scenario; `file` is the name that errors give it. */
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
    throw invalid(`${file}: the scenario cannot be read`, 'its aliases unfold to too many values', undefined);
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

/** Of a union, the complaint that reached furthest into the value says most. */
function deepest(issue: z.core.$ZodIssue): { path: readonly PropertyKey[]; message: string } {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors
    .flat()
    .map(deepest)
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (inner === undefined || inner.path.length === 0) return issue;
  return { path: [...issue.path, ...inner.path], message: inner.message };
}

/** `workloads[2].containers[0].name`. */
function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '') || 'the scenario';
}

function invalid(what: string, why: string | undefined, cause: unknown): SimClusterError {
  const next = 'scenarios/schema.json describes the fields';
  const problem = why === undefined ? { what, next } : { what, why, next };
  return new SimClusterError('scenario-invalid', problem, { exit: 'usage', cause });
}

/** The scenario with each node and workload that has `copies` written out, so that nothing later knows of them. */
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
