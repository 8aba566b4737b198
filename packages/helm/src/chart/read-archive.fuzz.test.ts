import { gzipSync } from 'node:zlib';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CASES, SEED } from '../../../../test/support/fuzz/seed.ts';
import type { Chart } from './chart.ts';
import { readChartArchive } from './read-archive.ts';
import { type TarEntry, writeTar } from './write-tar.ts';

const segment = fc.constantFrom(
  'chart',
  'charts',
  'templates',
  'Chart.yaml',
  'values.yaml',
  'values.schema.json',
  'Chart.lock',
  'requirements.yaml',
  '..',
  '.',
  '',
  'c:',
  'a\0b',
  'é',
  'x.tgz',
  '_x',
  '\\',
  'n'.repeat(120),
);
const name = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'chart/Chart.yaml',
      'chart/values.yaml',
      'chart/templates/a.yaml',
      'chart/README.md',
      'chart/crds/a.yaml',
      'chart/charts/sub/Chart.yaml',
      'chart/charts/sub.tgz',
    ),
  },
  { weight: 2, arbitrary: fc.array(segment, { maxLength: 5 }).map((segments) => segments.join('/')) },
);
const yaml = fc.constantFrom(
  'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'apiVersion: v1\nname: sub\nversion: 1.0.0\ndependencies: [{name: a, version: 1.x}, null]\n',
  'name: [a]\n',
  'a: &a [*a]\n',
  '? {a: b}\n: c\n',
  `${'{a: '.repeat(1200)}1${'}'.repeat(1200)}`,
  `${'- '.repeat(2000)}x`,
  'apiVersion: v2\nname: ../x\nversion: 1\n',
  '__proto__: {polluted: true}\nname: x\nversion: 1.0.0\napiVersion: v2\nannotations: {__proto__: x}\n',
  'a: &a [x,x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d]\nf: [*e,*e,*e,*e]\n',
);
const content = fc.oneof(
  { weight: 3, arbitrary: yaml.map((text) => Buffer.from(text)) },
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom('99 path=x\n', '9 path=x', 'x path=x\n', '1 \n').map((text) => Buffer.from(text)),
  fc.constant(
    gzipSync(
      writeTar([{ name: 'sub/Chart.yaml', data: Buffer.from('apiVersion: v2\nname: sub\nversion: 1.0.0') }]),
    ),
  ),
);
const type = fc.oneof(
  { weight: 6, arbitrary: fc.constant('0') },
  fc.constantFrom('1', '2', '5', 'x', 'g', 'L', 'K', 'S', '7', '\0', 'V'),
);
/** A PAX record: its own length, a key and a value. */
const record = fc
  .constantFrom(
    'path=chart/../../passwd',
    'path=x',
    'path',
    '=x',
    'path=a\0',
    'path=',
    'path=chart/a\nb',
    'path=\xff/\xfe',
    'size=9',
    'size=9999',
    'size=-1',
    'size=1e3',
    'size=999999999999999',
    'mtime=-1.5',
    'mtime=1e9',
    'mtime=',
    'GNU.sparse.realsize=1',
    '__proto__=x',
    'linkpath=/etc/passwd',
  )
  .map((text) => {
    const bare = text.length + 2;
    const length = bare + String(bare).length;
    return Buffer.from(
      `${String(length).length > String(bare).length ? length + 1 : length} ${text}\n`,
      'latin1',
    );
  });
const records = fc
  .array(record, { minLength: 1, maxLength: 3 })
  .map((each): TarEntry => ({ name: 'PaxHeaders/0', data: Buffer.concat(each), type: 'x' }));
const entry: fc.Arbitrary<TarEntry> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ name, data: content, type }) },
  records,
);

interface Damage {
  readonly at: number;
  readonly byte: number;
  /** Recalculates the checksum of the header, so that the reader does not stop there. */
  readonly isSigned: boolean;
}
/** The start and end offsets of a header's fields: name, mode, size, time, checksum, type, magic, prefix. */
const FIELDS = [0, 99, 100, 107, 124, 125, 129, 135, 136, 147, 148, 156, 257, 263, 345] as const;
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.oneof(
    fc.nat({ max: 2048 }),
    fc.tuple(fc.nat({ max: 5 }), fc.constantFrom(...FIELDS)).map(([block, field]) => block * 512 + field),
  ),
  byte: fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 0x20, 0x2d, 0x37, 0x80, 0x81, 0xff)),
  isSigned: fc.boolean(),
});
const SOUND: TarEntry = {
  name: 'chart/Chart.yaml',
  data: Buffer.from('apiVersion: v2\nname: chart\nversion: 1.0.0\n'),
};

const hostile = fc.record({
  /** After a valid Chart.yaml, the reader examines the rest. */
  startsSound: fc.boolean(),
  entries: fc.array(entry, { maxLength: 5 }),
  damages: fc.oneof(fc.constant<Damage[]>([]), fc.array(damage, { maxLength: 2 })),
  keptShare: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
  packedDamage: fc.option(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) }), { freq: 4 }),
});

type Hostile = typeof hostile extends fc.Arbitrary<infer One> ? One : never;

function build({ startsSound, entries, damages, keptShare, packedDamage }: Hostile): Uint8Array {
  const tar = Buffer.from(writeTar(startsSound ? [SOUND, ...entries] : entries));
  for (const { at, byte, isSigned } of damages) {
    if (at >= tar.length) continue;
    tar[at] = byte;
    if (isSigned) sign(tar.subarray(at - (at % 512), at - (at % 512) + 512));
  }
  const packed = Buffer.from(gzipSync(tar.subarray(0, Math.ceil(tar.length * keptShare)), { level: 1 }));
  if (packedDamage !== null) packed[packedDamage.at % packed.length] = packedDamage.byte;
  return packed;
}

function sign(block: Buffer): void {
  if (block.length < 512) return;
  block.write('        ', 148);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
}

function namesOf(chart: Chart): string[] {
  return [...chart.templates, ...chart.files]
    .map((file) => file.name)
    .concat(chart.dependencies.flatMap(namesOf));
}

it(`reads or refuses ${CASES} hostile archives (LOGTOOL_SEED=${SEED})`, async () => {
  let read = 0;
  let refused = 0;
  for (const one of fc.sample(hostile, { seed: SEED, numRuns: CASES })) {
    try {
      const chart = await readChartArchive(build(one));
      read++;
      const outside = namesOf(chart).filter((path) => path.startsWith('/') || path.split('/').includes('..'));
      expect(outside, `LOGTOOL_SEED=${SEED}: ${JSON.stringify(one)}`).toEqual([]);
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== 'invalid-chart') {
        throw new Error(`LOGTOOL_SEED=${SEED}: ${JSON.stringify(one)}`, { cause: error });
      }
      refused++;
    }
  }
  // Proves that the archives are close enough to valid ones: some are readable, some are not.
  expect(read).toBeGreaterThan(CASES / 100);
  expect(refused).toBeGreaterThan(CASES / 10);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
