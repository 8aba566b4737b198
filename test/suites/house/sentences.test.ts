import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { ROOT, sourceFiles } from './measures/source-files.ts';

/** A part of the code below the edges: it yields codes with data; `messages/` makes sentences of them. */
interface Room {
  /** From the root of the repository. */
  readonly folder: string;
  /** File, or folder with a slash at its end, whose texts are no sentences of ours -> why. */
  readonly allowed: Readonly<Record<string, string>>;
  /** Its lines for a log (`logger.warn(data, text)`) and errors for stacks (`new Error(text)`) need no code. */
  readonly hasOwnLog?: boolean;
}

/** Byte for byte, as the parity tests compare them; the few limits that Go has not are put the same way. */
const GO = 'texts of Go, of its libraries and of what Helm is made of';

/** Each room with the places that are allowed texts. A place that has none any more fails, too. */
const OF_API = 'descriptions in openapi.json';

const ROOMS: readonly Room[] = [
  {
    folder: 'packages/logtool/src/contract',
    allowed: {
      'error.ts': OF_API,
      'kube-problems.ts': OF_API,
      'log-frame.ts': OF_API,
      'routes.ts': OF_API,
      'wire-record.ts': OF_API,
    },
  },
  {
    folder: 'packages/logtool/src/domain',
    allowed: { 'level-names.ts': 'by which programs name the levels of their records' },
  },
  { folder: 'packages/logtool/src/resolve', allowed: {} },
  {
    folder: 'packages/logtool/src/server',
    allowed: {
      'clusters/kubeconfig-source.ts': "lines of the server's log",
      'metrics/server-metrics.ts': 'what each metric is, for Prometheus',
    },
    hasOwnLog: true,
  },
  {
    folder: 'packages/logtool/src/start',
    allowed: { 'module-loader.ts': 'code of Node, as a text' },
  },
  {
    folder: 'packages/logtool/src/stream',
    allowed: { 'run/position.ts': 'a position for tests' },
    hasOwnLog: true,
  },
  {
    folder: 'packages/kube/src',
    allowed: {
      'failure/describe-forbidden.ts': 'what an API server says, to recognize it',
      'failure/describe.ts': 'what an API server says, to recognize it',
      'thread/start-thread.ts': 'the code of a thread, as a text',
    },
  },
  {
    folder: 'packages/helm/src',
    allowed: {
      'actions/': 'what Helm records of a release, and what its lookup answers, byte for byte',
      'apply/find-trouble.ts': 'how the kubelet begins the warning that is looked for',
      'chart/': GO,
      'functions/': GO,
      'json/': GO,
      'render/explain.ts': GO,
      'render/go-values.ts': GO,
      'render/render-templates.ts': GO,
      'render/start-chart-thread.ts': 'what a task ends with whose thread is gone: a defect of the program',
      'repository/read-index.ts': GO,
      'schema/': GO,
      'template/': GO,
      'toml/': GO,
      'values/': GO,
      'version/': GO,
      'yaml/': GO,
    },
  },
];

interface Text {
  readonly line: number;
  readonly text: string;
}

const MIN_TOKENS = 3;
/** Letters, as prose has them: code, paths, selectors and formats have other characters between. */
const TOKEN = /^["'(]*\p{L}[\p{L}'’-]*["')]*[.,:!?]*$/u;

function isSentence(text: string): boolean {
  return text.split(/\s+/).filter((token) => TOKEN.test(token)).length >= MIN_TOKENS;
}

/** A value in a template: no word. */
const VALUE = '\u0000';

type Node = Readonly<Record<string, unknown>> & { readonly type?: string; readonly start?: number };

/** What a literal, a template or a sum of them says; undefined for every other expression. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') {
    const quasis = node.quasis as readonly { readonly value: { readonly cooked: string | null } }[];
    return quasis.map(({ value }) => value.cooked ?? '').join(VALUE);
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const sides = [textOf(node.left as Node), textOf(node.right as Node)];
  return sides.every((side) => side === undefined) ? undefined : sides.map((side) => side ?? VALUE).join('');
}

/** `logger.warn(...)`, `new Error(...)`, `super(...)` of an error: nobody but who runs the server reads it. */
function isForLog({ type, callee }: Node): boolean {
  const { type: kind, name, object, property } = (callee ?? {}) as Node;
  if (type === 'NewExpression') return name === 'Error';
  if (type !== 'CallExpression') return false;
  if (kind === 'Super') return true;
  const logger = [name, object, property].map((node) =>
    typeof node === 'string'
      ? node
      : ((node as Node | undefined)?.name ??
        ((node as Node | undefined)?.property as Node | undefined)?.name),
  );
  return logger.includes('logger');
}

/** Sentences in the code of a file: string literals, templates and sums of them, and texts of JSX. */
function sentencesOf(code: string, file: string, hasOwnLog = false): readonly Text[] {
  const found: Text[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (hasOwnLog && isForLog(node as Node)) return;
    const text = (node as Node).type === 'JSXText' ? String((node as Node).value) : textOf(node as Node);
    if (text !== undefined && isSentence(text)) {
      found.push({ line: code.slice(0, (node as Node).start).split('\n').length, text });
      if ((node as Node).type === 'BinaryExpression') return;
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, code).program);
  return found;
}

const allowanceOf = (room: Room, path: string) =>
  Object.keys(room.allowed).find((entry) => {
    const allowed = `${room.folder}/${entry}`;
    return allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed;
  });

const files = sourceFiles();

for (const room of ROOMS) {
  test(`${room.folder} yields codes, no sentences`, { timeout: 60_000 }, () => {
    const used = new Set<string>();
    const faults: string[] = [];
    const inRoom = files.filter(({ path }) => path.startsWith(`${room.folder}/`));
    expect(inRoom.length).toBeGreaterThan(0);
    for (const { path } of inRoom) {
      const sentences = sentencesOf(readFileSync(join(ROOT, path), 'utf8'), path, room.hasOwnLog);
      const allowance = sentences.length === 0 ? undefined : allowanceOf(room, path);
      if (allowance !== undefined) used.add(allowance);
      else faults.push(...sentences.map(({ line, text }) => `${path}:${line}: ${text}`));
    }
    expect(faults).toEqual([]);
    expect(Object.keys(room.allowed).filter((entry) => !used.has(entry))).toEqual([]);
  });
}

test('a sentence is found in each kind of text, with its line', () => {
  const code = [
    '// A comment may say what it likes.',
    "import { it } from './some path of code.ts';",
    "const a = 'it is stalled';",
    `const b = \`the pod \${a} has failed\`;`,
    "const c = 'it is ' + a + ' again.';",
    "const d = { why: 'two words' };",
    'const e = <p title="on the page">Lines are held</p>;',
    `const f = [\`the \${\`log of the hook\`}\`, "no controller has seen: it's new"];`,
  ].join('\n');
  expect(sentencesOf(code, 'a.tsx').map(({ line, text }) => `${line} ${text}`)).toEqual([
    '3 it is stalled',
    `4 the pod ${VALUE} has failed`,
    `5 it is ${VALUE} again.`,
    '7 on the page',
    '7 Lines are held',
    '8 log of the hook',
    "8 no controller has seen: it's new",
  ]);
});

test.each([
  'pods/log',
  'application/json; charset=utf-8',
  'display: flex; gap: 4px',
  '.a > .b + .c',
  'GET /api/v1/namespaces HTTP/1.1',
  'app.kubernetes.io/managed-by=Helm, app=shop',
  '2006-01-02 15:04:05 UTC',
  'two words',
])('%s is no sentence', (text) => expect(isSentence(text)).toBe(false));

test.each(['it is stalled', 'Pods are ready.', 'holds "no" release', "it hasn't begun, yet"])(
  '%s is a sentence',
  (text) => expect(isSentence(text)).toBe(true),
);

test('lines of a log and errors for stacks pass only where a room has a log', () => {
  const code = [
    "logger.warn({ a }, 'the file is gone');",
    "this.#options.logger.debug({}, 'asked the cluster again');",
    "throw new Error('a seal without a key');",
    "throw new CodedError('it is no code', {});",
  ].join('\n');
  expect(sentencesOf(code, 'a.ts')).toHaveLength(4);
  expect(sentencesOf(code, 'a.ts', true).map(({ line }) => line)).toEqual([4]);
});

test('a place is a file by its whole name, or a folder with all that is in it', () => {
  const room = { folder: 'packages/a/src', allowed: { 'go/': 'Go', 'read.ts': 'Helm' } };
  const allowances = ['go/b/c.ts', 'read.ts', 'gone.ts', 'in/read.ts'].map((path) =>
    allowanceOf(room, `packages/a/src/${path}`),
  );
  expect(allowances).toEqual(['go/', 'read.ts', undefined, undefined]);
});
