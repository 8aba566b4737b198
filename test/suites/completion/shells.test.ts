import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';
import { inEachShell } from './in-each-shell.ts';
import { programFolder, type ShellSession, startShell } from './shell-session.ts';

let cluster: SimCluster;
let cli: BuiltCli;
let bin = '';
let folder = '';
beforeAll(async () => {
  [cluster, cli, folder] = await Promise.all([
    startSimCluster({ scenario: 'scenarios/minimal.yaml' }),
    buildCli(),
    mkdtemp(join(tmpdir(), 'logtool-completion-')),
  ]);
  bin = await programFolder(cli);
});
afterAll(async () => {
  await cluster?.close();
  await cli?.remove();
  await rm(folder, { recursive: true, force: true });
});

/** The text before Tab, and the resulting line. */
const LINES: readonly (readonly [typed: string, line: string])[] = [
  ['logtool lo', 'logtool logs '],
  ['logtool cluster rep', 'logtool cluster repo '],
  ['logtool cluster repo upd', 'logtool cluster repo update '],
  ['logtool --kubeconfig x conf', 'logtool --kubeconfig x config '],
  ['logtool help cluster his', 'logtool help cluster history '],
  ['logtool completion po', 'logtool completion powershell '],
  ['logtool logs --all-c', 'logtool logs --all-containers '],
  ['logtool logs --no-fol', 'logtool logs --no-follow '],
  ['logtool logs --tail=3 --wi', 'logtool logs --tail=3 --with-cursors '],
  ['logtool logs -o j', 'logtool logs -o json '],
  ['logtool logs -o=j', 'logtool logs -o=json '],
  ['logtool logs -n=sh', 'logtool logs -n=shop'],
  ['logtool logs -fnsh', 'logtool logs -fnshop'],
  ['logtool logs --output=j', 'logtool logs --output=json '],
  ['logtool logs --columns ti', 'logtool logs --columns timestamp'],
  ['logtool logs --columns=timestamp,do', 'logtool logs --columns=timestamp,dot'],
  ['logtool logs --level error,wa', 'logtool logs --level error,warn'],
  ['logtool logs --columns=pod,container,n', 'logtool logs --columns=pod,container,n'],
  ['logtool logs -l app.', 'logtool logs -l app.kubernetes.io/name='],
  ['logtool logs -l app.kubernetes.io/name=w', 'logtool logs -l app.kubernetes.io/name=web '],
  ['logtool logs --selector=app.kubernetes.io/name=w', 'logtool logs --selector=app.kubernetes.io/name=web '],
  [
    "logtool logs -l 'app.kubernetes.io/name notin (w",
    "logtool logs -l 'app.kubernetes.io/name notin (web' ",
  ],
  ['logtool logs -n $NAMESPACE pods/hel', 'logtool logs -n $NAMESPACE pods/hello '],
  ['logtool logs --namespace=$NAMESPACE pods/hel', 'logtool logs --namespace=$NAMESPACE pods/hello '],
  ["logtool logs '*:deployments/w", "logtool logs '*:deployments/web' "],
  ["logtool logs 'def*:hel", "logtool logs 'def*:hello' "],
  ["logtool logs 'sh*:hel", "logtool logs 'sh*:hel"],
  ['logtool logs deplo', 'logtool logs deployments/'],
  ['logtool logs sts', 'logtool logs sts/'],
  ['logtool logs deployments/w', 'logtool logs deployments/web '],
  ['logtool logs deploy/w', 'logtool logs deploy/web '],
  ['logtool logs hel', 'logtool logs hello '],
  ['logtool logs pods/db', 'logtool logs pods/db-0 '],
  ['logtool logs db-0 pods/hel', 'logtool logs db-0 pods/hello '],
  ['logtool logs sho', 'logtool logs shop:'],
  ['logtool logs default:deplo', 'logtool logs default:deployments/'],
  ['logtool logs default:deployments/w', 'logtool logs default:deployments/web '],
  ['logtool logs default:hel', 'logtool logs default:hello '],
  ['logtool logs deployments/web/p', 'logtool logs deployments/web/proxy '],
  ['logtool logs pods/hello/m', 'logtool logs pods/hello/main '],
  ['logtool logs default:sts/db/post', 'logtool logs default:sts/db/postgres '],
  ['logtool logs -n sh', 'logtool logs -n shop'],
  ['logtool logs --namespace=sh', 'logtool logs --namespace=shop'],
  ['logtool logs --kube-context rea', 'logtool logs --kube-context reader '],
  ['logtool logs --kube-context=rea', 'logtool logs --kube-context=reader '],
  ['logtool logs --node node-', 'logtool logs --node node-'],
  ['logtool logs --arch arm', 'logtool logs --arch arm64'],
  ['logtool --kubeconfig valu', 'logtool --kubeconfig values.yaml '],
  ['logtool --kubeconfig ~/valu', 'logtool --kubeconfig ~/values.yaml '],
  ['logtool --kubeconfig=~/valu', 'logtool --kubeconfig=~/values.yaml '],
  ['logtool --kubeconfig $HOME/valu', 'logtool --kubeconfig $HOME/values.yaml '],
  ["logtool --kubeconfig 'valu", "logtool --kubeconfig 'values.yaml' "],
  ['logtool logs db-0 > valu', 'logtool logs db-0 > values.yaml '],
  ['logtool logs db-0 2>valu', 'logtool logs db-0 2>values.yaml '],
  ['logtool logs db-0 > out deployments/w', 'logtool logs db-0 > out deployments/web '],
  ['logtool cluster install -f valu', 'logtool cluster install -f values.yaml '],
  ['logtool cluster install --values=valu', 'logtool cluster install --values=values.yaml '],
  ['kubectl-logtool logs deployments/w', 'kubectl-logtool logs deployments/web '],
  ['logtool logs nothing-like-it', 'logtool logs nothing-like-it'],
  ['logtool nothing x', 'logtool nothing x'],
];

/** A variable before a colon; without braces zsh reads what follows as a modifier. */
const NAMESPACE = { bash: '$NAMESPACE', zsh: `\${NAMESPACE}`, fish: '$NAMESPACE' } as const;
const AFTER_A_VARIABLE: typeof LINES = [
  ['logtool logs @:deplo', 'logtool logs @:deployments/'],
  ['logtool logs @:deployments/w', 'logtool logs @:deployments/web '],
  ['logtool logs @:deployments/web/p', 'logtool logs @:deployments/web/proxy '],
  ["logtool logs '@:hel", "logtool logs '@:hel"],
];

/** bash replaces only the part after a colon, an equals sign or a quote; others rewrite the word. */
const KEPT_BY_BASH: typeof LINES = [
  ['logtool logs --namespace="def', 'logtool logs --namespace="default"'],
  ["logtool logs --columns='timestamp,do", "logtool logs --columns='timestamp,dot'"],
  [
    'logtool logs --selector="app.kubernetes.io/name=w',
    'logtool logs --selector="app.kubernetes.io/name=web" ',
  ],
  ['logtool logs *:deployments/w', 'logtool logs *:deployments/web '],
  ['logtool logs "default":deployments/w', 'logtool logs "default":deployments/web '],
  ["logtool logs default:'deployments/w", "logtool logs default:'deployments/web' "],
  ['logtool logs deployments/"w', 'logtool logs deployments/"web" '],
];

await inEachShell('completion', (name, path) => {
  let shell: ShellSession;
  beforeAll(async () => {
    const home = join(folder, name);
    shell = await startShell(name, path, {
      bin,
      home,
      env: { KUBECONFIG: cluster.kubeconfig, NAMESPACE: 'default' },
    });
    await writeFile(join(home, 'values.yaml'), '');
  });
  afterAll(() => shell?.close());

  test.each(LINES)('%s', async (typed, line) => {
    expect((await shell.type(`${typed}\t`)).line).toBe(line);
  });

  test.each(AFTER_A_VARIABLE)('%s, @ being a variable', async (typed, line) => {
    const named = (text: string) => text.replace('@', () => NAMESPACE[name]);
    expect((await shell.type(`${named(typed)}\t`)).line).toBe(named(line));
  });

  test.runIf(name === 'bash').each(KEPT_BY_BASH)('%s', async (typed, line) => {
    expect((await shell.type(`${typed}\t`)).line).toBe(line);
  });

  // zsh replaces the variable by its value, and fish completes nothing there.
  test.runIf(name === 'bash')('a quoted variable stays one', async () => {
    const { line } = await shell.type('logtool logs "$NAMESPACE:hel\t');
    expect(line).toBe('logtool logs "$NAMESPACE:hello" ');
  });

  test('lists what there is, with a few words on each', async () => {
    const { line, screen } = await shell.type('logtool cluster \t\t');
    expect(screen).toContain('uninstall');
    expect(screen).toContain('Show the revisions of a release');
    expect(line).toMatch(/^logtool cluster /);
  });

  test('lists flags that were not given yet', async () => {
    const { screen } = await shell.type('logtool version --\t\t');
    expect(screen).toContain('--kubeconfig');
    expect(screen).toContain('Show requests, and stack traces');
    const { screen: second } = await shell.type('logtool version --debug --\t\t');
    // Earlier text belongs to the previous list, drawn again.
    const list = second.slice(second.indexOf('--debug'));
    expect(list).toContain('--kubeconfig');
    expect(list).not.toContain('Show requests, and stack traces');
  });

  test('completes the word at the cursor, whatever follows it', async () => {
    const { line } = await shell.type(`logtool logs deployments/w --debug${'\x1b[D'.repeat(8)}\t`);
    expect(line).toMatch(/^logtool logs deployments\/web +--debug$/);
  });

  test('runs nothing of the line', async () => {
    await shell.type('logtool logs $(touch ran) --grep "`touch ran`" deploy\t');
    await expect(access(join(folder, name, 'ran'))).rejects.toThrow('ENOENT');
  });
});
