import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { dump, load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';
import { inEachShell } from './in-each-shell.ts';
import { programFolder, type ShellName, type ShellSession, startShell } from './shell-session.ts';

const NAMES = [
  '$(touch ran)',
  '`touch ran`',
  '; touch ran',
  'two words',
  "it's",
  'quo"te',
  'arn:aws:eks:eu-1:7:cluster/x',
  '!ls',
  'new\nline',
  'esc\x1b]0;title\x07\x1b[31m',
  '\u202eback',
];

let cluster: SimCluster;
let cli: BuiltCli;
let bin = '';
let folder = '';
let kubeconfig = '';
beforeAll(async () => {
  [cluster, cli, folder] = await Promise.all([
    startSimCluster({ scenario: 'scenarios/minimal.yaml' }),
    buildCli(),
    mkdtemp(join(tmpdir(), 'logtool-hostile-')),
  ]);
  bin = await programFolder(cli);
  kubeconfig = join(folder, 'kubeconfig');
  const config = load(await readFile(cluster.kubeconfig, 'utf8')) as { contexts: { context: unknown }[] };
  const contexts = [
    ...config.contexts,
    ...NAMES.map((name) => ({ name, context: config.contexts[0]?.context })),
  ];
  await writeFile(kubeconfig, dump({ ...config, contexts }));
});
afterAll(async () => {
  await cluster?.close();
  await cli?.remove();
  await rm(folder, { recursive: true, force: true });
});

/** The text before Tab, its completion, and exceptions for single shells. */
const CASES: readonly (readonly [
  typed: string,
  completed: string,
  other?: Partial<Record<ShellName, string>>,
])[] = [
  ['two', String.raw`two\ words `],
  ["'two", "'two words' "],
  ['"two wo', '"two words" '],
  [String.raw`two\ wo`, String.raw`two\ words `],
  [String.raw`\$`, String.raw`\$\(touch\ ran\) `],
  [String.raw`"\$`, String.raw`"\$(touch ran)" `],
  ["'$", "'$(touch ran)' "],
  [String.raw`\;`, String.raw`\;\ touch\ ran `],
  ['it', String.raw`it\'s `],
  ['"it', `"it's" `],
  // bash cannot write this after a single quote.
  ["'it", `'it'\\''s' `, { bash: "'it", fish: String.raw`'it\'s' ` }],
  ['quo', String.raw`quo\"te `],
  ['"quo', String.raw`"quo\"te" `],
  ['arn', 'arn:aws:eks:eu-1:7:cluster/x '],
  ['arn:aws:e', 'arn:aws:eks:eu-1:7:cluster/x '],
  [String.raw`\!`, String.raw`\!ls `],
  ['new', 'new'],
  ['esc', 'esc'],
];

await inEachShell('completion of hostile names', (name, path) => {
  let shell: ShellSession;
  const home = () => join(folder, name);
  beforeAll(async () => {
    shell = await startShell(name, path, { bin, home: home(), env: { KUBECONFIG: kubeconfig } });
  });
  afterAll(() => shell?.close());

  test.each(CASES.map(([typed, completed, other]) => [typed, other?.[name] ?? completed] as const))(
    '%s',
    async (typed, completed) => {
      const { line } = await shell.type(`logtool logs --kube-context ${typed}\t`);
      expect(line).toBe(`logtool logs --kube-context ${completed}`);
    },
  );

  test('are listed without their escape sequences, and nothing of them is run', async () => {
    const { screen } = await shell.type('logtool logs --kube-context \t\t');
    expect(screen).toContain('arn:aws');
    for (const text of ['esc\x1b', 'title', '\u202e', 'back']) expect(screen).not.toContain(text);
    // Completes the completed line again.
    const { line } = await shell.type('logtool logs --kube-context \\$\t--all-cont\t');
    expect(line).toBe(String.raw`logtool logs --kube-context \$\(touch\ ran\) --all-containers `);
    expect(await readdir(home())).not.toContain('ran');
  });

  test('nothing of the line itself is run', async () => {
    const { line } = await shell.type('logtool logs --grep "$(touch ran)" --columns ti\t');
    expect(line).toContain('--columns timestamp');
    expect(await readdir(home())).not.toContain('ran');
  });
});
