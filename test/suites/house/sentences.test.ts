import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { ROOT, sourceFiles } from './measures/source-files.ts';

/**
 * A part of the code below the edges: it returns codes with data, and `messages/` turns them into sentences.
 */
interface Room {
  /** Path from the repository's root. */
  readonly folder: string;
  /** A file, or a folder with a trailing slash, whose texts are not our sentences -> why. */
  readonly allowed: Readonly<Record<string, string>>;
  /** A file beside this test that lists the allowed texts by file; an unlisted text is a fault. */
  readonly listed?: string;
  /**
   * Its log lines (`logger.warn(data, text)`) and errors for stack traces (`new Error(text)`) need no code.
   */
  readonly hasOwnLog?: boolean;
}

/**
 * Identical byte for byte, as the parity tests compare them; the few limits that Go lacks use the same style.
 */
const GO = 'texts of Go, of its libraries and of what Helm is made of';

/** Each room with the places that may contain texts. A place without any texts also fails. */
const OF_API = 'descriptions in openapi.json';
const OF_KUBERNETES = 'texts of events of Kubernetes, to recognize them';

/** Rooms of ARCHITECTURE.md that turn codes into sentences for a reader. */
const EDGES = ['cli', 'messages', 'ui'];

const ROOMS: readonly Room[] = [
  { folder: 'packages/logtool/src/agent', allowed: {} },
  {
    folder: 'packages/logtool/src/agent-api',
    allowed: {
      'routes/open-api.ts': 'descriptions in the OpenAPI document of the group',
      'runs/table.ts': 'descriptions of the columns of a table of the Kubernetes API',
      'status/': 'errors as the Kubernetes API words them',
    },
  },
  { folder: 'packages/logtool/src/backend', allowed: {} },
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
    allowed: {
      'level-names.ts': 'by which programs name the levels of their records',
      'patterns/pattern-fault.ts': GO,
    },
  },
  {
    folder: 'packages/logtool/src/happenings',
    allowed: {
      'why/rules/deletion-rules.ts': OF_KUBERNETES,
      'why/rules/exit-rules.ts': OF_KUBERNETES,
      'why/rules/start-rules.ts': OF_KUBERNETES,
    },
  },
  { folder: 'packages/logtool/src/resolve', allowed: {} },
  {
    folder: 'packages/logtool/src/cli/mcp',
    allowed: { 'messages/': 'the sentences themselves' },
    hasOwnLog: true,
  },
  {
    folder: 'packages/logtool/src/server',
    allowed: {
      'clusters/kubeconfig-source.ts': "lines of the server's log",
      'metrics/measure-server.ts': 'an answer of plain HTTP, and its header',
      'metrics/server-metrics.ts': 'what each metric is, for Prometheus',
      'security/security-headers.ts': 'headers of HTTP',
      'session/seal.ts': 'the purpose of a key, which nobody reads',
      'to-wire-error.ts': 'what stands for the address of a server that is not known',
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
      'connection/http-proxy.ts': 'a request of HTTP',
      'connection/open-connection.ts': 'the name of the user of a pod',
      'failure/describe-forbidden.ts': 'what an API server says, to recognize it; a command of kubectl',
      'failure/describe.ts': 'what an API server says, to recognize it',
      'rest/watch.ts': 'an error for stacks: why a signal aborts',
      'thread/start-thread.ts': 'the code of a thread, as a text',
      'yaml/nodes.ts': 'an error for stacks: a defect of the parser',
    },
  },
  {
    folder: 'packages/helm/src',
    listed: 'texts-of-helm.txt',
    allowed: {
      'actions/': 'what Helm records of a release, and what its lookup answers, byte for byte',
      'apply/cluster-object.ts': 'how kubectl names an object, which is data of failures',
      'apply/find-trouble.ts': 'how the kubelet begins the warning that is looked for',
      'chart/': GO,
      'functions/': GO,
      'json/': GO,
      'render/explain.ts': GO,
      'render/go-values.ts': GO,
      'render/lookup.ts': 'what a template waits for, which nobody reads',
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
/** A word of prose: code, paths, selectors and formats have other characters between letters. */
const TOKEN = /^["'(]*\p{L}[\p{L}'’-]*["')]*[.,:!?]*$/u;

/** Two adjacent words, or three anywhere. */
function isSentence(text: string): boolean {
  const isToken = text.split(/\s+/).map((token) => TOKEN.test(token));
  const hasTwo = isToken.some((is, at) => is && isToken[at + 1] === true);
  return hasTwo || isToken.filter(Boolean).length >= MIN_TOKENS;
}

/** Represents a template's value, which is not a word. */
const VALUE = '\u0000';

type Node = Readonly<Record<string, unknown>> & { readonly type?: string; readonly start?: number };

/** Returns the text of a literal, a template or a concatenation of them; undefined for other expressions. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') {
    const quasis = node.quasis as readonly { readonly value: { readonly cooked: string | null } }[];
    return quasis.map(({ value }) => value.cooked ?? '').join(VALUE);
  }
  const joined = joinedText(node);
  if (joined !== undefined) return joined;
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const sides = [textOf(node.left as Node), textOf(node.right as Node)];
  return sides.every((side) => side === undefined) ? undefined : sides.map((side) => side ?? VALUE).join('');
}

/** Returns the text of `['a', b, 'c'].join(' ')`; undefined for other expressions. */
function joinedText({ type, callee, arguments: given }: Node): string | undefined {
  const { object, property } = (callee ?? {}) as Record<string, Node | undefined>;
  if (type !== 'CallExpression' || object?.type !== 'ArrayExpression' || property?.name !== 'join')
    return undefined;
  const items = object.elements as readonly (Node | null)[];
  const texts = items.map((item) => (item === null ? '' : textOf(item)));
  const [separator] = given as readonly Node[];
  const between = separator === undefined ? ',' : (textOf(separator) ?? VALUE);
  return texts.every((text) => text === undefined)
    ? undefined
    : texts.map((text) => text ?? VALUE).join(between);
}

/** `logger.warn(...)`, `new Error(...)`: only the server's operator reads these. */
function isForLog({ type, callee }: Node): boolean {
  const { type: kind, name, object, property } = (callee ?? {}) as Node;
  if (type === 'NewExpression') return name === 'Error';
  if (type !== 'CallExpression' || kind === 'Super') return false;
  const logger = [name, object, property].map((node) =>
    typeof node === 'string'
      ? node
      : ((node as Node | undefined)?.name ??
        ((node as Node | undefined)?.property as Node | undefined)?.name),
  );
  return logger.includes('logger');
}

/**
 * Returns sentences in a file's code: string literals, templates, concatenations of them, and texts of JSX.
 */
function sentencesOf(code: string, file: string, hasOwnLog = false): readonly Text[] {
  const found: Text[] = [];
  const isSkipped = (node: Node) => node.type === 'ImportDeclaration' || (hasOwnLog && isForLog(node));
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || isSkipped(value as Node)) return;
    const node = value as Node;
    const text = node.type === 'JSXText' ? String(node.value) : textOf(node);
    if (text !== undefined && isSentence(text)) {
      found.push({ line: code.slice(0, node.start).split('\n').length, text });
      if (/^(BinaryExpression|CallExpression)$/.test(node.type ?? '')) return;
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

function sentencesIn(room: Room): readonly (Text & { readonly path: string })[] {
  const inRoom = files.filter(({ path }) => path.startsWith(`${room.folder}/`));
  expect(inRoom.length).toBeGreaterThan(0);
  return inRoom.flatMap(({ path }) =>
    sentencesOf(readFileSync(join(ROOT, path), 'utf8'), path, room.hasOwnLog).map((text) => ({
      path,
      ...text,
    })),
  );
}

for (const room of ROOMS) {
  test(`${room.folder} yields codes, no sentences`, { timeout: 60_000 }, () => {
    const used = new Set<string>();
    const faults: string[] = [];
    for (const { path, line, text } of sentencesIn(room)) {
      const allowance = allowanceOf(room, path);
      if (allowance === undefined) faults.push(`${path}:${line}: ${text}`);
      else used.add(allowance);
    }
    expect(faults).toEqual([]);
    expect(Object.keys(room.allowed).filter((entry) => !used.has(entry))).toEqual([]);
  });

  const { listed } = room;
  if (listed === undefined) continue;
  test(`${room.folder} has no other texts than those of ${listed}`, { timeout: 60_000 }, async () => {
    const lines = sentencesIn(room).map(
      ({ path, text }) =>
        `${path.slice(room.folder.length + 1)}: ${JSON.stringify(text.replaceAll(VALUE, '…'))}`,
    );
    await expect(`${[...new Set(lines)].sort().join('\n')}\n`).toMatchFileSnapshot(`./${listed}`);
  });
}

test('every room of ARCHITECTURE.md yields codes, or is an edge', () => {
  const map = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const rooms = [...map.matchAll(/^\| `(\w+)\/` +\|/gm)].map(([, room = '']) => room);
  const checked = ROOMS.flatMap(({ folder }) => /^packages\/logtool\/src\/(\w+)$/.exec(folder)?.[1] ?? []);
  expect(rooms.length).toBeGreaterThan(8);
  expect([...checked, ...EDGES].sort()).toEqual([...rooms].sort());
});

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
    "const g = ['not', 'ready', h].join(' ');",
    "class I extends Error { constructor() { super('it is gone'); } }",
  ].join('\n');
  expect(sentencesOf(code, 'a.tsx').map(({ line, text }) => `${line} ${text}`)).toEqual([
    '3 it is stalled',
    `4 the pod ${VALUE} has failed`,
    `5 it is ${VALUE} again.`,
    '6 two words',
    '7 on the page',
    '7 Lines are held',
    '8 log of the hook',
    "8 no controller has seen: it's new",
    `9 not ready ${VALUE}`,
    '10 it is gone',
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
  'word',
  'a.b c=d',
])('%s is no sentence', (text) => expect(isSentence(text)).toBe(false));

test.each(['two words', 'it is stalled', 'Pods are ready.', 'holds "no" release', "it hasn't begun, yet"])(
  '%s is a sentence',
  (text) => expect(isSentence(text)).toBe(true),
);

test('lines of a log and errors for stacks pass only where a room has a log', () => {
  const code = [
    "logger.warn({ a }, 'the file is gone');",
    "this.#options.logger.debug({}, 'asked the cluster again');",
    "throw new Error('a seal without a key');",
    "throw new CodedError('it is no code', {});",
    "class A extends Error { constructor() { super('it was closed'); } }",
  ].join('\n');
  expect(sentencesOf(code, 'a.ts')).toHaveLength(5);
  expect(sentencesOf(code, 'a.ts', true).map(({ line }) => line)).toEqual([4, 5]);
});

test('a place is a file by its whole name, or a folder with all that is in it', () => {
  const room = { folder: 'packages/a/src', allowed: { 'go/': 'Go', 'read.ts': 'Helm' } };
  const allowances = ['go/b/c.ts', 'read.ts', 'gone.ts', 'in/read.ts'].map((path) =>
    allowanceOf(room, `packages/a/src/${path}`),
  );
  expect(allowances).toEqual(['go/', 'read.ts', undefined, undefined]);
});
