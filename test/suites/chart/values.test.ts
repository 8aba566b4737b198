import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { load, loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HELM_VERSIONS, helm } from '../../support/oracles/helm.ts';
import { EVERYTHING } from './everything.ts';
import { type Row, VALUE_ROWS } from './value-rows.ts';

const CHART = join(import.meta.dirname, '../../../charts/logtool');

type Fields = Readonly<Record<string, unknown>>;
type Manifest = Fields & { readonly kind: string };

let home = '';
let plain: readonly Manifest[] = [];
let full: readonly Manifest[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
  [plain, full] = await Promise.all([render(), render(...EVERYTHING)]);
});
afterAll(() => rm(home, { recursive: true }));

const render = (...sets: readonly string[]) => template(...sets.map((set) => `--set=${set}`));

/** Renders release r in namespace ops with the real helm. */
async function template(...more: readonly string[]): Promise<readonly Manifest[]> {
  const args = ['template', 'r', CHART, '-n', 'ops', ...more];
  const { stdout, stderr, exitCode } = await helm(HELM_VERSIONS[0], args, { home });
  expect([exitCode, stderr]).toEqual([0, '']);
  return (loadAll(stdout.toString()) as (Manifest | null)[]).filter((manifest) => manifest !== null);
}

/** Returns a field, an element (-1: the last), or the value of an argument such as --port. */
function at(value: unknown, path: string): unknown {
  return path.split('/').reduce((inner: unknown, name) => {
    if (!Array.isArray(inner) || name === 'length') return (inner as Fields | undefined)?.[name];
    if (!name.startsWith('--')) return inner.at(Number(name));
    return (inner as readonly string[]).find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
  }, value);
}

/** If there are several objects of a kind, uses the one named after the release. */
function fieldOf(manifests: readonly Manifest[], kind: string, path: string): unknown {
  const ofKind = manifests.filter((manifest) => manifest.kind === kind);
  return at(ofKind.find((manifest) => at(manifest, 'metadata/name') === 'r-logtool') ?? ofKind[0], path);
}

const POD = 'spec/template/spec';
const CONTAINER = `${POD}/containers/0`;

describe.each(Object.entries(VALUE_ROWS))('of the values set %s', (group, rows) => {
  let own: readonly Manifest[] = [];
  beforeAll(async () => {
    const file = join(home, `${group}.json`);
    await writeFile(file, JSON.stringify(valuesOf(rows)));
    own = await template('--values', file);
  });

  test.each(rows.map(([key, , ...shown]) => [key, shown] as const))('%s is in the objects', (_, shown) => {
    for (const [object, path, withOwn, withDefault] of shown) {
      expect(shownAt(own, object, path), `${object} ${path}`).toEqual(withOwn);
      expect(shownAt(plain, object, path), `${object} ${path} by default`).toEqual(withDefault);
    }
  });
});

test('every value has a row that sets another than its default', async () => {
  const defaults = load(await readFile(join(CHART, 'values.yaml'), 'utf8'));
  const groups = Object.values(VALUE_ROWS).map(valuesOf);
  const isSet = ([key, value]: readonly [string, unknown]) =>
    groups.some((values) => {
      const own = at(values, key.replaceAll('.', '/'));
      return own !== undefined && !isDeepStrictEqual(own, value);
    });
  const leaves = [...leavesOf(defaults, '')];
  expect(leaves.filter((leaf) => !isSet(leaf)).map(([key]) => key)).toEqual([]);
  // No row sets an unknown value: the schema rejects those, except below a map without a schema.
  const keys = leaves.map(([key]) => key);
  const isKnown = (key: string) => keys.some((leaf) => leaf === key || leaf.startsWith(`${key}.`));
  const named = Object.values(VALUE_ROWS).flatMap((rows) => rows.map(([key]) => key));
  expect(named.filter((key) => !isKnown(key))).toEqual([]);
  expect(leaves.length).toBeGreaterThan(60);
});

function valuesOf(rows: readonly Row[]): Fields {
  const values = {};
  for (const [key, value] of rows) put(values, key.split('.'), value);
  return values;
}

function put(values: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (name === undefined) return;
  if (rest.length === 0) values[name] = value;
  else {
    values[name] ??= {};
    put(values[name] as Record<string, unknown>, rest, value);
  }
}

/** A map without fields, such as one for labels, is a leaf. */
function* leavesOf(value: unknown, path: string): Generator<readonly [key: string, value: unknown]> {
  const fields = isMap(value) ? Object.entries(value) : [];
  if (fields.length === 0) yield [path, value];
  for (const [name, inner] of fields) yield* leavesOf(inner, path === '' ? name : `${path}.${name}`);
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the first object of a kind, and of a component if given. */
function shownAt(manifests: readonly Manifest[], object: string, path: string): unknown {
  const [kind, component] = object.split(':');
  const found = manifests.find((manifest) => {
    const labels = at(manifest, 'metadata/labels') as Fields | undefined;
    return (
      manifest.kind === kind &&
      (component === undefined || labels?.['app.kubernetes.io/component'] === component)
    );
  });
  return at(found, path);
}

test('metrics have a port, a Service and a ServiceMonitor of their own, and none of these by default', () => {
  const labels = {
    'app.kubernetes.io/name': 'logtool',
    'app.kubernetes.io/instance': 'r',
    'app.kubernetes.io/component': 'metrics',
  };
  const service = full.find(
    (one) => one.kind === 'Service' && at(one, 'metadata/name') === 'r-logtool-metrics',
  );
  expect(at(service, 'metadata/labels')).toMatchObject(labels);
  expect(at(service, 'spec')).toMatchObject({
    type: 'ClusterIP',
    selector: fieldOf(full, 'Deployment', 'spec/selector/matchLabels'),
    ports: [{ name: 'metrics', port: 9500, targetPort: 'metrics' }],
  });
  expect(fieldOf(full, 'ServiceMonitor', 'spec')).toEqual({
    selector: { matchLabels: labels },
    endpoints: [{ port: 'metrics', path: '/metrics', interval: '15s', scrapeTimeout: '5s' }],
  });
  expect(fieldOf(full, 'ServiceMonitor', 'metadata/labels')).toMatchObject({ release: 'prometheus' });
  expect(fieldOf(full, 'Deployment', `${CONTAINER}/args`)).toContain('--metrics-port=9500');
  expect(fieldOf(full, 'Deployment', `${CONTAINER}/ports/1`)).toEqual({
    name: 'metrics',
    containerPort: 9500,
    protocol: 'TCP',
  });
  expect(fieldOf(full, 'NetworkPolicy', 'spec/ingress/1')).toEqual({
    ports: [{ port: 'metrics', protocol: 'TCP' }],
    from: [{ namespaceSelector: { matchLabels: { team: 'monitoring' } } }],
  });
  expect(fieldOf(plain, 'Deployment', `${CONTAINER}/ports`)).toHaveLength(1);
  expect(fieldOf(plain, 'NetworkPolicy', 'spec/ingress')).toHaveLength(1);
  expect(plain.filter(({ kind }) => kind === 'Service')).toHaveLength(1);
  expect(fieldOf(plain, 'ServiceMonitor', 'spec')).toBeUndefined();
});

test('the pods may reach every port on which API servers commonly listen', () => {
  const ports = fieldOf(plain, 'NetworkPolicy', 'spec/egress/0/ports') as readonly {
    readonly port: number;
  }[];
  expect(ports.map(({ port }) => port)).toEqual([53, 53, 443, 6443, 8443, 16443]);
});

test('on OpenShift no user is set, and the rest of the security stays', async () => {
  const manifests = await render(
    'dashboard.podSecurityContext.runAsUser=null,dashboard.podSecurityContext.runAsGroup=null',
  );
  const rest = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
  expect(fieldOf(manifests, 'Deployment', `${POD}/securityContext`)).toEqual(rest);
  expect(fieldOf(manifests, 'Pod', 'spec/securityContext')).toEqual(rest);
});

test('what a search keeps has a folder of its own: the file system is read-only', () => {
  expect(fieldOf(plain, 'Deployment', `${CONTAINER}/securityContext/readOnlyRootFilesystem`)).toBe(true);
  expect(fieldOf(plain, 'Deployment', `${CONTAINER}/volumeMounts/1`)).toEqual({
    name: 'scans',
    mountPath: '/tmp',
  });
  expect(fieldOf(plain, 'Deployment', `${POD}/volumes/1`)).toEqual({
    name: 'scans',
    emptyDir: { sizeLimit: '1Gi' },
  });
});

test('creates a new session key without a cluster, unless a Secret is named', async () => {
  const keyOf = (manifests: readonly Manifest[]) => {
    const data = fieldOf(manifests, 'Secret', 'data') as Readonly<Record<string, string>> | undefined;
    return data === undefined ? undefined : Buffer.from(data.keys ?? '', 'base64').toString();
  };
  expect(keyOf(plain)).toMatch(/^[A-Za-z0-9]{64}$/);
  expect(keyOf(await render())).not.toBe(keyOf(plain));
  expect(fieldOf(plain, 'Deployment', `${POD}/volumes/0/secret`)).toEqual({
    secretName: 'r-logtool-session',
  });
  const own = await render('dashboard.session.existingSecret=own-keys,dashboard.session.secretKey=a.b');
  expect(keyOf(own)).toBeUndefined();
  expect(fieldOf(own, 'Deployment', `${POD}/volumes/0/secret`)).toEqual({ secretName: 'own-keys' });
  expect(fieldOf(own, 'Deployment', `${CONTAINER}/args`)).toContain(
    '--session-key-file=/etc/logtool/session/a.b',
  );
});
