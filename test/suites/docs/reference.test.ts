import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT } from '@logtool/logtool/src/cli/exit-codes.ts';
import { FLAGS } from '@logtool/logtool/src/cli/flags/table.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { startSimCluster } from '@logtool/simcluster/src/start.ts';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { blocksOf, ROOT, readPage } from './markdown.ts';

/** Variables that describe the machine; they do not configure logtool. */
const OF_THE_MACHINE = ['PATH', 'DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME', 'SSH_CONNECTION', 'CI'];
/** Set for credential plugins, not read. */
const GIVEN = ['KUBERNETES_EXEC_INFO'];

test('every environment variable that the program reads is documented', () => {
  const files = [...['kube', 'helm', 'logtool'].flatMap((name) => sourcesBelow(`packages/${name}/src`))];
  const read = new Set(
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\benv(?:\.|\[')([A-Z][A-Z0-9_]+)/g)].map(
        ([, name = '']) => name,
      ),
    ),
  );
  const page = readPage('docs/environment.md');
  const missing = [...read].filter(
    (name) => !page.includes(`\`${name}\``) && ![...OF_THE_MACHINE, ...GIVEN].includes(name),
  );
  expect(missing).toEqual([]);
});

test('the exit codes are those of the program', () => {
  const documented = [...readPage('docs/environment.md').matchAll(/^\| (\d+) \|/gm)].map(([, code]) =>
    Number(code),
  );
  expect(documented).toEqual(Object.values(EXIT).toSorted((a, b) => a - b));
});

test('every message in Troubleshooting is one that the program prints', () => {
  const folder = resolve(ROOT, 'test/golden/cli');
  const printed = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.txt'))
    .map((name) => readFileSync(resolve(folder, name), 'utf8'))
    .join('\n');
  const messages = [...readPage('docs/troubleshooting.md').matchAll(/^## ([a-z].*)$/gm)].map(
    ([, text = '']) => text,
  );
  expect(messages.length).toBeGreaterThanOrEqual(9);
  const unknown = messages.filter((text) => {
    const pattern = text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('…', '.*');
    return !new RegExp(`^error: .*${pattern}`, 'm').test(printed);
  });
  expect(unknown).toEqual([]);
});

test.each(['README.md', 'docs/dashboard.md', 'vite.config.ts'])(
  '%s names the port that serve listens on by default',
  (page) => {
    const port = FLAGS.find(({ name, commands }) => name === 'port' && commands.includes('serve'))?.default;
    const named = [...readPage(page).matchAll(/\blocalhost:(\d+)/g)].map(([, digits]) => Number(digits));
    expect(named.length).toBeGreaterThan(0);
    expect(new Set(named)).toEqual(new Set([port]));
  },
);

interface Role {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string };
  readonly rules: readonly {
    readonly apiGroups: string[];
    readonly resources: string[];
    readonly verbs: string[];
  }[];
}

/** Returns the roles on the page about permissions, as a cluster receives them. */
function roles(): readonly Role[] {
  return blocksOf(readPage('docs/permissions.md'))
    .filter(({ language }) => language === 'yaml')
    .flatMap(({ text }) => loadAll(text) as Role[]);
}

test.each(roles().map((role) => [role.kind, role] as const))(
  'a user with the %s of Permissions can read what the page says',
  async (kind, { metadata, rules }) => {
    const { namespace } = metadata;
    const cluster = await startSimCluster({
      scenario: {
        clusterName: 'permissions',
        namespace: 'shop',
        startDelays: 'none',
        nodes: [{ name: 'node-a', region: 'r', zone: 'z' }],
        namespaces: ['shop', 'other'],
        users: [
          {
            name: 'alice',
            namespace: 'shop',
            rules: rules.map((rule) => (namespace === undefined ? rule : { ...rule, namespace })),
          },
        ],
        workloads: ['shop', 'other'].map((own) => ({
          kind: 'Deployment',
          name: 'web',
          namespace: own,
          replicas: 2,
          containers: [{ name: 'app', lines: ['hello'] }],
        })),
      },
    });
    const asAlice = async (...argv: readonly string[]) => {
      const world = capture(['logs', ...argv, '--kube-context=alice'], {
        env: { KUBECONFIG: cluster.kubeconfig },
      });
      const code = await run(world.context);
      return {
        code,
        lines: world
          .stdout()
          .split('\n')
          .filter((line) => line.includes('hello')).length,
      };
    };
    expect(await asAlice('deployments/web')).toEqual({ code: 0, lines: 2 });
    const everywhere = await asAlice('*:deployments/*', '--columns=zone,pod');
    expect(everywhere.code === 0).toBe(kind === 'ClusterRole');
    await cluster.close();
  },
);

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('testing'))
    .map((name) => resolve(ROOT, folder, name));
}
