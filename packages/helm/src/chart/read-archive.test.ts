import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { HELM_VERSIONS, helm } from '../../../../test/support/oracles/helm.ts';
import type { HelmFailures } from '../failures.ts';
import type { Chart } from './chart.ts';
import { ARCHIVE_LIMIT_BYTES, CHART_LIMIT_BYTES, FILE_LIMIT_BYTES, VALUE_COUNT_LIMIT } from './limits.ts';
import { packChart } from './pack-chart.ts';
import { readChartArchive } from './read-archive.ts';
import { type TarEntry, writeTar } from './write-tar.ts';

const CHART_YAML = 'apiVersion: v2\nname: chart\nversion: 1.0.0\n';

function file(name: string, content: string | Uint8Array = '', rest: Partial<TarEntry> = {}): TarEntry {
  return { name, data: Buffer.from(content), ...rest };
}

const BASE = [file('chart/Chart.yaml', CHART_YAML)];

function archive(...entries: TarEntry[]): Uint8Array {
  return gzipSync(writeTar([...BASE, ...entries]));
}

type Problem = DistributiveOmit<HelmFailures['invalid-chart'], 'where'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function refusal(data: Uint8Array | AsyncIterable<Uint8Array>): Promise<unknown> {
  return readChartArchive(data).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** A problem, and the sub-charts that lead to it. */
const invalid = (problem: Problem, ...where: readonly string[]) =>
  helmFailed('invalid-chart', { where, ...problem });
/** A problem with Helm's message. */
const refused = (why: string, ...where: readonly string[]) => invalid({ problem: 'refused', why }, ...where);
const OUTSIDE = (name: string) =>
  refused(`chart illegally contains content outside the base directory: ${JSON.stringify(name)}`);
const ABSOLUTE = refused('chart illegally contains absolute paths');
const PARENT = refused('chart illegally references parent directory');
const TOO_LARGE = `decompressed chart is larger than the maximum size ${CHART_LIMIT_BYTES}`;

it('reads what is in a chart', async () => {
  const sub = gzipSync(
    writeTar([
      file('sub/Chart.yaml', 'apiVersion: v1\nname: sub\nversion: 0.1.0'),
      file('sub/values.yaml', 'a: 1'),
    ]),
  );
  const chart = await readChartArchive(
    archive(
      file('chart/', '', { type: '5' }),
      file('chart/values.yaml', '\ufeffx: {p: 1}\n---\nx: {q: 2}\n'),
      file('chart/values.schema.json', '{}'),
      file('chart/templates/a.yaml', 'kind: A'),
      file('chart/crds/c.yaml', 'kind: C'),
      file('chart/charts/sub-0.1.0.tgz', sub),
      file('chart/charts/sub-0.1.0.tgz.prov', 'signed'),
      file('chart/charts/dir/Chart.yaml', 'apiVersion: v2\nname: dir\nversion: 2.0.0'),
      file('chart/charts/_ignored/Chart.yaml', '!'),
      file(`chart/files/${'long/'.repeat(40)}name`, 'deep'),
      file(
        'chart/Chart.lock',
        'generated: "2020-01-01T00:00:00Z"\ndigest: sha256:1\ndependencies: [{name: sub, version: 0.1.0}]',
      ),
    ),
  );
  expect(chart.metadata).toEqual({ apiVersion: 'v2', name: 'chart', version: '1.0.0' });
  expect(chart.values).toEqual(
    new Map([
      [
        'x',
        new Map([
          ['p', 1],
          ['q', 2],
        ]),
      ],
    ]),
  );
  expect(chart.templates.map(({ name }) => name)).toEqual(['templates/a.yaml']);
  expect(chart.files.map(({ name }) => name)).toEqual([
    'crds/c.yaml',
    'charts/sub-0.1.0.tgz.prov',
    `files/${'long/'.repeat(40)}name`,
  ]);
  expect(chart.dependencies.map(({ metadata }) => metadata.name)).toEqual(['dir', 'sub']);
  expect(chart.dependencies[1]?.values).toEqual(new Map([['a', 1]]));
  expect(chart.lock?.dependencies).toEqual([{ name: 'sub', version: '0.1.0' }]);
  expect(Buffer.from(chart.schema ?? []).toString()).toBe('{}');
});

it('reads a stream in pieces of any size', async () => {
  const data = archive(file('chart/values.yaml', 'a: b\n'), file('chart/README.md', 'x'.repeat(3000)));
  async function* pieces() {
    for (let index = 0; index < data.length; index += 7) yield data.subarray(index, index + 7);
  }
  const chart = await readChartArchive(pieces());
  expect(chart.values).toEqual(new Map([['a', 'b']]));
  expect(chart.files[0]?.data).toHaveLength(3000);
});

it.each(['/etc/passwd', 'chart//etc/passwd', '\\etc\\passwd', '/chart/templates/x'])(
  'refuses the absolute path %s',
  async (name) => {
    expect(await refusal(archive(file(name, 'x')))).toEqual(ABSOLUTE);
  },
);

it.each([
  'chart/../x',
  '../x',
  'chart/a/../../x',
  'chart\\..\\x',
  'chart\\a/../../x',
  'chart/..',
  '..\\..\\x',
])('refuses the path %s, which leads out of the chart', async (name) => {
  expect(await refusal(archive(file(name, 'x')))).toEqual(PARENT);
});

it.each(['chart/c:/windows/x', 'chart/Z:/x'])('refuses the path %s with a drive', async (name) => {
  expect(await refusal(archive(file(name, 'x')))).toEqual(refused('chart contains illegally named files'));
});

it.each([
  ['Chart.yaml', OUTSIDE('Chart.yaml')],
  ['Chart.yaml/x', refused('chart yaml not in base directory')],
  ['x', OUTSIDE('x')],
  ['chart/.', OUTSIDE('chart/.')],
])('refuses %s, which is in no directory of the chart', async (name, expected) => {
  expect(await refusal(archive(file(name, CHART_YAML)))).toEqual(expected);
});

it.each([
  ['a hard link', '1', 'link'],
  ['a symbolic link', '2', 'link'],
  ['a character device', '3', 'no-file'],
  ['a block device', '4', 'no-file'],
  ['a pipe', '6', 'no-file'],
  ['a sparse file', 'S', 'no-file'],
  ['what is of no known type', 'Z', 'no-file'],
] as const)('refuses %s', async (_name, type, problem) => {
  const path = 'chart/templates/x';
  expect(await refusal(archive(file(path, '', { type, linkName: '/etc/passwd' })))).toEqual(
    invalid({ problem, path }),
  );
});

it('refuses a sparse file that PAX records describe', async () => {
  const records = Buffer.from('22 GNU.sparse.major=1\n');
  expect(await refusal(archive(file('x', records, { type: 'x' }), file('chart/x', '')))).toEqual(
    invalid({ problem: 'sparse-file' }),
  );
});

it('counts the values of a chart and its sub-charts', async () => {
  const values = (count: number) => Buffer.from(`a: [${'1,'.repeat(count)}]\n`);
  const sub = (name: string) => [
    file(`chart/charts/${name}/Chart.yaml`, Buffer.from(`apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`)),
    file(`chart/charts/${name}/values.yaml`, values(VALUE_COUNT_LIMIT / 2)),
  ];
  expect((await readChartArchive(archive(...sub('a')))).dependencies).toHaveLength(1);
  expect(await refusal(archive(...sub('a'), ...sub('b')))).toEqual(
    invalid({ problem: 'values', max: VALUE_COUNT_LIMIT }, 'error unpacking subchart b in chart'),
  );
});

it('refuses a file beyond 5 MiB before it is unpacked, and takes one of 5 MiB', async () => {
  const big = archive(file('chart/big', new Uint8Array(FILE_LIMIT_BYTES + 1)));
  expect(await refusal(big)).toEqual(
    refused(`decompressed chart file "chart/big" is larger than the maximum file size ${FILE_LIMIT_BYTES}`),
  );
  const fits = await readChartArchive(archive(file('chart/big', new Uint8Array(FILE_LIMIT_BYTES))));
  expect(fits.files[0]?.data).toHaveLength(FILE_LIMIT_BYTES);
});

it('refuses a header that claims more than exists, by the claim by itself', async () => {
  const tar = writeTar([file('chart/huge', 'x')]).slice(0, 1024);
  const header = Buffer.from(tar.subarray(0, 512));
  header.write('77777777777\0', 124);
  header.write('        ', 148);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  expect(await refusal(gzipSync(header))).toEqual(refused(TOO_LARGE));
});

it('refuses more than 100 MiB in many files', async () => {
  const five = new Uint8Array(FILE_LIMIT_BYTES);
  const many = Array.from({ length: 21 }, (_, index) => file(`chart/files/${index}`, five));
  expect(await refusal(archive(...many))).toEqual(refused(TOO_LARGE));
});

it('counts archives inside of archives too', async () => {
  const five = new Uint8Array(FILE_LIMIT_BYTES);
  const sub = (name: string) =>
    gzipSync(
      writeTar([
        file(`${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0`),
        ...Array.from({ length: 6 }, (_, index) => file(`${name}/files/${index}`, five)),
      ]),
    );
  const subs = ['a', 'b', 'c', 'd'].map((name) => file(`chart/charts/${name}.tgz`, sub(name)));
  expect(await refusal(archive(...subs))).toEqual(
    refused(TOO_LARGE, 'error unpacking subchart d.tgz in chart'),
  );
});

it('refuses a stream that unpacks to headers and padding without end', async () => {
  const zeros = gzipSync(new Uint8Array(1024 * 1024 * 8), { level: 9 });
  const directory = writeTar([file('chart/', '', { type: '5' })]).subarray(0, 512);
  const block = Buffer.concat(Array.from({ length: 2048 }, () => directory));
  const megabyte = gzipSync(block, { level: 9 });
  async function* endless() {
    for (let count = 0; count < 200; count++) yield megabyte;
    yield zeros;
  }
  expect(await refusal(endless())).toEqual(refused(TOO_LARGE));
});

it('refuses an archive beyond 20 MiB before it is unpacked', async () => {
  let given = 0;
  async function* long() {
    yield archive().subarray(0, 10);
    for (; given < 2 * ARCHIVE_LIMIT_BYTES; given += 1024 * 1024) yield new Uint8Array(1024 * 1024);
  }
  expect(await refusal(long())).toEqual(refused('gzip: invalid header or data'));
  // Random data is incompressible: the stored blocks are valid, but too many.
  const noise = new Uint8Array(FILE_LIMIT_BYTES);
  for (let at = 0; at < noise.length; at += 65_536) crypto.getRandomValues(noise.subarray(at, at + 65_536));
  const stored = archive(...Array.from({ length: 5 }, (_, index) => file(`chart/files/${index}`, noise)));
  expect(stored.length).toBeGreaterThan(ARCHIVE_LIMIT_BYTES);
  expect(await refusal(stored)).toEqual(invalid({ problem: 'archive-size', maxBytes: ARCHIVE_LIMIT_BYTES }));
});

it('says what is wrong at once, though the source says nothing more, and hands on its own error', async () => {
  async function* silent() {
    yield Buffer.concat([gzipSync(writeTar([file('/etc/passwd', 'x')])), Buffer.alloc(1)]);
    await new Promise(() => {});
  }
  expect(await refusal(silent())).toEqual(ABSOLUTE);
  const broken = new Error('connection lost');
  async function* failing() {
    yield archive().subarray(0, 20);
    throw broken;
  }
  await expect(readChartArchive(failing())).rejects.toBe(broken);
});

it('refuses too many files, and charts nested too deeply', async () => {
  const many = Array.from({ length: 20_001 }, (_, index) => file(`chart/files/${index}`));
  expect(await refusal(archive(...many))).toEqual(invalid({ problem: 'files', max: 20_000 }));
  const chain = Array.from({ length: 25 }, (_, depth) => {
    const path = Array.from({ length: depth + 1 }, (__, level) => `charts/c${level}/`).join('');
    return file(`chart/${path}Chart.yaml`, `apiVersion: v2\nname: c${depth}\nversion: 1.0.0`);
  });
  const names = ['chart', ...Array.from({ length: 20 }, (_, depth) => `c${depth}`)];
  expect(await refusal(archive(...chain))).toEqual(
    invalid(
      { problem: 'depth', max: 20 },
      ...names.slice(1).map((name, at) => `error unpacking subchart ${name} in ${names[at]}`),
    ),
  );
});

it('refuses an archive inside of itself again and again', async () => {
  let inner = archive();
  for (let depth = 0; depth < 25; depth++) inner = archive(file('chart/charts/chart.tgz', inner));
  expect(await refusal(inner)).toEqual(
    invalid(
      { problem: 'depth', max: 20 },
      ...Array.from({ length: 20 }, () => 'error unpacking subchart chart.tgz in chart'),
    ),
  );
});

it('refuses what is cut off, garbled, empty or no archive', async () => {
  const whole = archive(file('chart/values.yaml', 'a: 1'));
  const cut = invalid({ problem: 'archive-cut' });
  expect(await refusal(whole.subarray(0, whole.length - 40))).toEqual(cut);
  expect(await refusal(gzipSync(writeTar(BASE).subarray(0, 700)))).toEqual(cut);
  expect(await refusal(gzipSync(writeTar([])))).toEqual(refused('no files in chart archive'));
  expect(await refusal(Buffer.from('hello'))).toEqual(refused('gzip: invalid header or data'));
  expect(await refusal(new Uint8Array(0))).toEqual(cut);
  const garbled = Buffer.from(writeTar(BASE));
  garbled[20] = 0x41;
  expect(await refusal(gzipSync(garbled))).toEqual(refused('archive/tar: invalid tar header'));
});

it('reads names that do not fit a header in each of the ways there are', async () => {
  const long = `chart/files/${'n'.repeat(150)}`;
  const gnu = writeTar([file('././@LongLink', `${long}\0`, { type: 'L' }), file('chart/files/short', 'gnu')]);
  const chart = await readChartArchive(gzipSync(Buffer.concat([writeTar(BASE).subarray(0, -1024), gnu])));
  expect(chart.files.map(({ name }) => name)).toEqual([`files/${'n'.repeat(150)}`]);
});

it('says of a sub-chart where it is', async () => {
  expect(await refusal(archive(file('chart/charts/README.md', 'x')))).toEqual(
    refused('Chart.yaml file is missing', 'error unpacking subchart README.md in chart'),
  );
  expect(await refusal(archive(file('chart/charts/x.tgz', 'not packed')))).toEqual(
    refused('gzip: invalid header or data', 'error unpacking subchart x.tgz in chart'),
  );
});

it.each(HELM_VERSIONS)('packs charts that helm %s takes', async (version) => {
  const sub: Chart = {
    metadata: { apiVersion: 'v2', name: 'sub', version: '1.0.0' },
    templates: [{ name: 'templates/s.yaml', data: Buffer.from('kind: Sub\nx: {{ .Values.x }}\n') }],
    values: new Map([['x', 5]]),
    files: [],
    dependencies: [],
  };
  const chart: Chart = {
    ...sub,
    metadata: {
      apiVersion: 'v2',
      name: 'packed',
      version: '1.2.3',
      dependencies: [{ name: 'sub', version: '1.x', repository: '' }],
    },
    templates: [{ name: `templates/${'long-'.repeat(25)}.yaml`, data: Buffer.from('kind: Top\n') }],
    dependencies: [sub],
  };
  const home = await mkdtemp(join(tmpdir(), 'logtool-pack-'));
  try {
    const packed = packChart(chart);
    await writeFile(join(home, 'packed.tgz'), packed);
    const result = await helm(version, ['template', 'r', join(home, 'packed.tgz')], { home });
    expect(result.stderr).toBe('');
    expect(result.stdout.toString()).toContain('kind: Sub\nx: 5');
    expect(result.stdout.toString()).toContain('kind: Top');
    expect((await readChartArchive(packed)).dependencies[0]?.values).toEqual(new Map([['x', 5]]));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
