import { readFile, stat } from 'node:fs/promises';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { expandCopies } from './expand-copies.ts';
import { type Scenario, scenarioSchema } from './schema.ts';

/** Far more than anybody plays: a log given by mistake ends here. */
const LIMIT_BYTES = 10 * 1024 * 1024;

/** A path of a YAML (or JSON) file, or the scenario itself. Throws a LogtoolError that names file, line and path. */
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
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true });
  const broken = document.errors[0];
  if (broken !== undefined) {
    const line = lines.linePos(broken.pos[0]).line;
    throw invalid(
      `${file}:${line}: the scenario is not valid YAML`,
      broken.message.split('\n')[0] ?? '',
      broken,
    );
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 1000 });
  } catch (cause) {
    throw invalid(`${file}: the scenario cannot be read`, (cause as Error).message, cause);
  }
  return checked(value, file, (path) => {
    for (let depth = path.length; depth >= 0; depth--) {
      const found = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
      if (isNode(found) && found.range) return lines.linePos(found.range[0]).line;
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
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text.replace(/^\./, '') || 'the scenario';
}

function invalid(what: string, why: string | undefined, cause: unknown): LogtoolError {
  return new LogtoolError({
    code: 'scenario-invalid',
    what,
    why,
    next: 'scenarios/schema.json describes the fields',
    exit: 'usage',
    cause,
  });
}
