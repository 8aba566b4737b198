import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HELM_VERSIONS } from '../../../../test/support/oracles/helm.ts';
import {
  shownValues,
  templateInHelm,
  VALUES_TEMPLATE,
} from '../../../../test/support/oracles/helm-template.ts';
import { writeJson } from '../json/write-json.ts';
import { readUserValues, type ValueFlags } from './user-values.ts';

const CHART = {
  'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'templates/values.yaml': VALUES_TEMPLATE,
};
const FILES: Readonly<Record<string, string>> = {
  'a.yaml': 'a: {b: 1, c: [1, 2]}\nd: null\n',
  'b.yaml': 'a: {b: {x: 1}, e: 5}\nf: yes\n',
  'note.txt': 'line one\nline two, {braces}\n',
};

const FLAG_NAMES = {
  files: '-f',
  json: '--set-json',
  typed: '--set',
  strings: '--set-string',
} as const;

function arguments_(flags: ValueFlags): string[] {
  return Object.entries(FLAG_NAMES).flatMap(([name, flag]) =>
    (flags[name as keyof ValueFlags] ?? []).flatMap((text) => [flag, text]),
  );
}

const TYPED = [
  'a=1',
  'a=1,b=2',
  'a.b.c=x',
  'a=true',
  'a=False',
  'a=TRUE',
  'a=null',
  'a=Null',
  'a=0',
  'a=00',
  'a=007',
  'a=-1',
  'a=+1',
  'a=1.5',
  'a=1e3',
  'a=9223372036854775807',
  'a=9223372036854775808',
  'a=-9223372036854775808',
  'a=',
  'a=,b=1',
  'a=1,',
  'a={1,b,true}',
  'a={}',
  'a={1,2},b=3',
  'a={1,2}b=3',
  'a[0]=1',
  'a[2]=x',
  'a[0].b=1,a[0].c=2',
  'a[0][1]=x',
  'a[1][0].b={x,y}',
  'a[0]=1,a[1]=2',
  'a\\.b=1',
  'a=x\\,y',
  'a=x\\\\y',
  'a\\[0\\]=1',
  'a=x=y',
  'a={x\\,y,z\\}}',
  'a. b=1',
  ' a=1',
  'a = 1',
  'a.b.',
  'a.=',
  '.a=1',
  '=1',
  'a[0].b=',
  'a[0]',
  'é.ü=ß',
  'a="quoted"',
  "a='q'",
  'a={null,true,1,x}',
  'a[0]=null',
  'a.b=1,a.c=2',
  '',
];
const WRONG = [
  'a',
  'a.b',
  'a,b=1',
  'a={1,2',
  'a[x]=1',
  'a[-1]=1',
  'a[70000]=1',
  'a[0]x=1',
  'a=1,a.b=2',
  'a.b=1,a[0]=2',
  'a[0]=1,a[0][0]=2',
  'a.=1',
  ',',
  'a[]=1',
  'a[0',
  'a[1.5]=1',
  `${'a.'.repeat(31)}b=1`,
];
const CASES: ValueFlags[] = [
  ...TYPED.map((text) => ({ typed: [text] })),
  ...['a=1', 'a=true', 'a={1,2}', 'a.b[1]=null', 'a=x\\,y'].map((text) => ({ strings: [text] })),
  ...[
    'a=1',
    'a={"b":[1,2.5,null]}',
    'a=[1,2],b=3',
    'a= "x" , b = true',
    'a=',
    'a[1]={"x":1}',
    'a=null',
    '{"a":{"b":1}}',
    ' {"a":1}',
    'a="é\\n"',
  ].map((text) => ({ json: [text] })),
  { files: ['a.yaml', 'b.yaml'] },
  { files: ['b.yaml', 'a.yaml'], typed: ['a.b=2', 'a.c[0]=9'], strings: ['f=1'] },
  { files: ['a.yaml'], json: ['a={"z":1}'], strings: ['a.z=0'] },
  { typed: ['a=1'], strings: ['a=2'], json: ['a=3'] },
  { typed: ['a[0].b=1', 'a[1].b=2', 'a[0].c=3'] },
  { typed: ['a[0]=1', 'a[0].x='] },
  { typed: ['a={1,2}', 'a[1].x.y=', 'a[2].x='] },
  { json: ['a[0]=null'], strings: ['a[0].x='] },
];
const WRONG_CASES: ValueFlags[] = [
  ...WRONG.map((text) => ({ typed: [text] })),
  ...['a=[1,2', 'a=x', 'a', '{"a":}'].map((text) => ({ json: [text] })),
];

const read = (flags: ValueFlags) => readUserValues(flags, (path) => FILES[path] ?? '');

describe('values from flags', { concurrent: false }, () => {
  it.each(CASES.map((flags) => [arguments_(flags).join(' '), flags] as const))('%s', async (_name, flags) => {
    const result = await templateInHelm('4.1.4', CHART, arguments_(flags), FILES);
    expect(result.stderr).toBe('');
    expect(writeJson(read(flags))).toBe(shownValues(result.stdout)['chart/templates']);
  });

  it.each(WRONG_CASES.map((flags) => [arguments_(flags).join(' '), flags] as const))(
    'refuses %s',
    async (_name, flags) => {
      const result = await templateInHelm('3.17.2', CHART, arguments_(flags), FILES);
      expect(result.exitCode).not.toBe(0);
      let error: unknown;
      try {
        read(flags);
      } catch (thrown) {
        error = thrown;
      }
      if (!(error instanceof CodedError)) throw error ?? new Error('it was not refused');
      const given = flags.json === undefined ? 'typed' : 'json';
      const [text] = flags[given] ?? [];
      expect(error).toMatchObject({ code: 'invalid-value-flag', exit: 'usage', data: { given, text } });
      // For invalid JSON, Helm only reports that it is invalid.
      if (flags.json === undefined) expect(result.stderr).toContain(error.data.why);
    },
  );
});

const name = fc.constantFrom('a', 'b', 'x\\.y', 'é');
const index = fc.nat({ max: 3 }).map((at) => `[${at}]`);
const scalar = fc.constantFrom(
  '1',
  '-5',
  '007',
  'true',
  'null',
  'word',
  'x\\,y',
  '1.5',
  '',
  'a=b',
  '0',
  '{',
  '9223372036854775808',
);
const value = fc.oneof(
  scalar.filter((text) => text !== '{'),
  fc
    .array(
      scalar.filter((text) => text !== '' && text !== '{'),
      { minLength: 1, maxLength: 3 },
    )
    .map((items) => `{${items.join(',')}}`),
);
const path = fc
  .tuple(
    name,
    fc.array(
      fc.oneof(
        name.map((one) => `.${one}`),
        index,
      ),
      { maxLength: 4 },
    ),
  )
  .map(([first, rest]) => first + rest.join(''));
const assignment = fc.tuple(path, value).map(([key, text]) => `${key}=${text}`);
const GENERATED = fc
  .sample(fc.array(assignment, { minLength: 1, maxLength: 3 }), { seed: 11, numRuns: 400 })
  .map((list) => list.join(','))
  .filter((text) => {
    try {
      read({ typed: [text] });
      return true;
    } catch {
      return false;
    }
  });

it.each(HELM_VERSIONS)('reads %s generated assignments as helm does', async (version) => {
  expect(GENERATED.length).toBeGreaterThan(150);
  // A separate key for each, so that the assignments do not interfere.
  const typed = GENERATED.map((text, at) =>
    text.split(/(?<!\\),(?![^{]*\})/).map((one) => `k${at}.${one}`),
  ).map((pieces) => pieces.join(','));
  const result = await templateInHelm(version, CHART, arguments_({ typed }));
  expect(result.stderr).toBe('');
  expect(writeJson(read({ typed }))).toBe(shownValues(result.stdout)['chart/templates']);
});
