import { type Clock, FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { expect, it } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import type { Chart } from '../chart/chart.ts';
import type { HelmFailures } from '../failures.ts';
import type { Value, ValueMap } from '../value/value.ts';
import type { LookupQuery } from './lookup.ts';
import { renderChart } from './render-chart.ts';
import type { RenderOptions } from './render-templates.ts';

const OPTIONS: RenderOptions = {
  release: { name: 'rel', namespace: 'ns', revision: 1, isInstall: true, isUpgrade: false },
  capabilities: { kubeVersion: { version: 'v1.35.0', major: '1', minor: '35' }, apiVersions: ['v1'] },
  clock: new FakeClock(),
  randomBytes: (count) => new Uint8Array(count),
};

function chart(templates: Readonly<Record<string, string>>, more: Partial<Chart> = {}): Chart {
  return {
    metadata: { apiVersion: 'v2', name: 'demo', version: '1.0.0' },
    templates: Object.entries(templates).map(([name, text]) => ({
      name: `templates/${name}`,
      data: new TextEncoder().encode(text),
    })),
    values: new Map(),
    files: [],
    dependencies: [],
    ...more,
  };
}

async function render(text: string, options: Partial<RenderOptions> = {}, values: ValueMap = new Map()) {
  const { files } = await renderChart(chart({ 'a.yaml': text }), values, { ...OPTIONS, ...options });
  return files.get('demo/templates/a.yaml');
}

async function failure(rendering: Promise<unknown>): Promise<CodedError> {
  const error: unknown = await rendering.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CodedError)) throw error ?? new Error('it rendered');
  return error;
}
const limit = (data: HelmFailures['template-limit']) => helmFailed('template-limit', data);
const failed = (why: string, isAsked = false) => helmFailed('template-failed', { isAsked, why });

it('takes the notes of the chart itself out of the manifest, and those of sub-charts only when asked', async () => {
  const child = chart(
    { 'NOTES.txt': 'of {{ .Chart.Name }}' },
    { metadata: { apiVersion: 'v2', name: 'kid', version: '1.0.0' } },
  );
  const parent = chart(
    { 'NOTES.txt': 'hello {{ .Release.Name }}\n', 'a.yaml': 'kind: A\n' },
    { dependencies: [child] },
  );
  const plain = await renderChart(parent, new Map(), OPTIONS);
  expect(plain.notes).toBe('hello rel\n');
  expect(plain.manifest).toBe('---\n# Source: demo/templates/a.yaml\nkind: A\n');
  expect([...plain.files.keys()]).toEqual(['demo/templates/a.yaml']);
  const both = await renderChart(parent, new Map(), { ...OPTIONS, subNotes: true });
  expect(both.notes.split('\n').sort()).toEqual(['', 'hello rel', 'of kid']);
});

it('does not change the given values', async () => {
  const values: ValueMap = new Map<string, Value>([['list', [new Map([['a', 1]])]]]);
  const text = '{{ $_ := set (first .Values.list) "a" 2 }}{{ $_ := set .Values "b" 1 }}{{ .Values }}';
  expect(await render(`x: {{ "${'x'}" }} # ${text}`, {}, values)).toContain('map[b:1 list:[map[a:2]]]');
  expect(values).toEqual(new Map([['list', [new Map([['a', 1]])]]]));
});

it('keeps names that are special in JavaScript as plain keys', async () => {
  const values: ValueMap = new Map<string, Value>([['__proto__', 'kept']]);
  const text =
    '{{ index .Values "__proto__" }}: {{ .Values.constructor }}{{ .Values.toString }}{{ toJson .Values }}';
  expect(await render(text, {}, values)).toBe('kept: {"__proto__":"kept"}');
  expect(({} as Record<string, unknown>).kept).toBeUndefined();
});

it('reads each looked-up object once, and renders with the result', async () => {
  const asked: LookupQuery[] = [];
  const lookup = async (query: LookupQuery): Promise<ValueMap> => {
    asked.push(query);
    return query[3] === 'there' ? new Map([['kind', 'Found']]) : new Map();
  };
  const text = [
    'a: {{ (lookup "v1" "Secret" "ns" "there").kind }}',
    'b: {{ lookup "v1" "Secret" "ns" "there" | len }}',
    'c: {{ if lookup "v1" "Secret" "ns" "gone" }}yes{{ else }}no{{ end }}',
  ].join('\n');
  expect(await render(text, { lookup })).toBe('a: Found\nb: 1\nc: no');
  expect(asked).toEqual([
    ['v1', 'Secret', 'ns', 'there'],
    ['v1', 'Secret', 'ns', 'gone'],
  ]);
});

it('shows why a lookup failed, and where', async () => {
  const lookup = async (): Promise<ValueMap> => {
    throw new Error('secrets is forbidden');
  };
  const error = await failure(render('a: {{ lookup "v1" "Secret" "ns" "x" }}', { lookup }));
  expect(error).toEqual(
    failed(
      'template: demo/templates/a.yaml:1:6: executing "demo/templates/a.yaml" at <lookup "v1" "Secret" "ns" "x">: error calling lookup: secrets is forbidden',
    ),
  );
});

it('refuses a chart that looks up without end', async () => {
  const text = '{{ range untilStep 0 501 1 }}{{ lookup "v1" "Pod" "ns" (printf "p%d" .) }}{{ end }}';
  const error = await failure(render(text, { lookup: async () => new Map() }));
  expect(error).toEqual(limit({ of: 'lookups', max: 500 }));
});

it('counts the time of all runs that looking up takes, and none that the cluster takes', async () => {
  let nowMs = 0;
  const clock: Clock = { ...systemClock, now: () => nowMs };
  const lookup = async (): Promise<ValueMap> => {
    nowMs += 10_000;
    return new Map();
  };
  const limits = { timeMs: 1000, outputCharacters: 1000 };
  const text = '{{ range untilStep 0 20 1 }}{{ $_ := lookup "v1" "Pod" "ns" (printf "p%d" .) }}{{ end }}';
  expect(await render(text, { clock, lookup, limits })).toBe('');
  const slow: Clock = { ...systemClock, now: () => (nowMs += 100) };
  const error = await failure(render(text, { clock: slow, lookup: async () => new Map(), limits }));
  expect(error).toEqual(limit({ of: 'time' }));
});

it('ends a template that takes too long', async () => {
  let nowMs = 0;
  const clock: Clock = { ...systemClock, now: () => (nowMs += 1000) };
  const text = '{{ range untilStep 0 3000 1 }}{{ range untilStep 0 3000 1 }}{{ end }}{{ end }}';
  const error = await failure(render(text, { clock }));
  expect(error).toEqual(limit({ of: 'time' }));
});

it('ends a template whose few steps take too long', async () => {
  let nowMs = 0;
  const clock: Clock = { ...systemClock, now: () => (nowMs += 10_000) };
  const error = await failure(
    render('{{ range until 50 }}{{ repeat 2000000 "x" | len }}{{ end }}', { clock }),
  );
  expect(error).toEqual(limit({ of: 'time' }));
});

it.each([
  ['writing', '{{ range untilStep 0 1000 1 }}{{ range untilStep 0 1000 1 }}0123456789{{ end }}{{ end }}'],
  ['doubling', '{{ $x := "0123456789" }}{{ range untilStep 0 40 1 }}{{ $x = print $x $x }}{{ end }}'],
  ['repeating', '{{ repeat 1000000000 "x" }}'],
  ['widths', '{{ range untilStep 0 1000 1 }}{{ $x := printf "%1000000d" 1 }}{{ end }}'],
  ['many widths', '{{ printf (repeat 10000 "%1000000d") 1 }}'],
  [
    'including',
    '{{ define "a" }}0123456789{{ end }}{{ range untilStep 0 1000000 1 }}{{ $x := include "a" $ }}{{ end }}',
  ],
  ['lists', '{{ range untilStep 0 1000 1 }}{{ $x := until 1000000 }}{{ end }}'],
])('ends a template that makes too much by %s', async (_how, text) => {
  const limits = { timeMs: 600_000, outputCharacters: 500_000 };
  const error = await failure(render(text, { limits }));
  expect(error).toEqual(limit({ of: 'output', max: 500_000 }));
});

const TWICE = '{{ $l := list 1 }}{{ range until 40 }}{{ $l = list $l $l }}{{ end }}';
const TWICE_MORE = '{{ $m := dict }}{{ range until 40 }}{{ $m = dict "a" $m "b" $m }}{{ end }}';

it.each([
  'toJson $l',
  'toYaml $l',
  'toYamlPretty $l',
  'toToml (dict "l" $l)',
  'deepCopy $l | len',
  '$l',
  'printf "%v" $l',
  'print "a" $l',
  'quote $l',
  'cat $l',
  'join "," $l',
  '$l | toString',
  'sortAlpha $l',
  'deepEqual $l (list $l)',
  'has $l (list $l)',
  'without (list $l) $l',
  'uniq (list $l $l)',
  'html $l',
  'merge $m (dict "a" $m)',
  'mergeOverwrite $m (dict "a" $m) | len',
  'dict "l" $l',
  '(dict "l" $l) | toRawJson',
])('ends %s, of what doubles itself forty times', async (text) => {
  const error = await failure(render(`${TWICE}${TWICE_MORE}{{ ${text} }}`));
  expect(error).toEqual(limit({ of: 'nodes', max: 2 ** 21 }));
});

it('copies no large value again and again', async () => {
  const text =
    '{{ $l := until 200000 }}{{ $c := list }}{{ range until 1000 }}{{ $c = append $c (deepCopy $l) }}{{ end }}';
  expect(await failure(render(text))).toEqual(limit({ of: 'output', max: 2 ** 27 }));
});

it.each([
  ['include', '{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}', 'nested reference name: r'],
  ['template', '{{ define "r" }}{{ template "r" . }}{{ end }}{{ template "r" . }}', 'maximum template depth'],
  [
    'tpl',
    '{{ define "r" }}{{ tpl "{{ include \\"r\\" . }}" . }}{{ end }}{{ include "r" . }}',
    'nested reference name: r',
  ],
  ['parentheses', `{{ ${'('.repeat(100_000)}1${')'.repeat(100_000)} }}`, 'max expression depth exceeded'],
  [
    'blocks',
    `${'{{ if true }}'.repeat(100_000)}${'{{ end }}'.repeat(100_000)}`,
    'max expression depth exceeded',
  ],
])('ends endless nesting by %s with an error', async (_how, text, message) => {
  const error = await failure(render(text));
  expect(error.code).toBe('template-failed');
  expect((error.cause as Error).message).toContain(message);
});

it.each([
  [
    'frames',
    '{{ define "r" }}{{ tpl `{{ template "r" . }}` . }}{{ end }}{{ template "r" . }}',
    'tpl-depth',
    3000,
  ],
  ['text', '{{ $t := repeat 2000000 "{{ . }}" }}{{ tpl $t . }}', 'tpl-text', 2 ** 23],
] as const)('ends endless %s of tpl with an error', async (_what, text, of, max) => {
  const error = await failure(render(text));
  expect(error).toEqual(limit({ of, max }));
});

it.each([
  ['matches of a pattern', '{{ regexFindAll "" (repeat 100000 "a") -1 | len }}'],
  ['parts between matches', '{{ regexSplit "" (repeat 100000 "a") -1 | len }}'],
  ['matches to replace', '{{ regexReplaceAll "" (repeat 100000 "a") "" | len }}'],
  ['states of a pattern', '{{ regexMatch "[^a]{1000}b" (repeat 10000 "1") }}'],
])('counts %s as output', async (_what, text) => {
  const error = await failure(render(text, { limits: { timeMs: 60_000, outputCharacters: 2 ** 20 } }));
  expect(error).toEqual(limit({ of: 'output', max: 2 ** 20 }));
});

it('says each step of templates that call themselves once', async () => {
  const error = await failure(render('{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}'));
  expect(error).toEqual(
    failed(
      'template: demo/templates/a.yaml:1:47: executing "demo/templates/a.yaml" at <include "r" .>: error calling include: ' +
        'template: demo/templates/a.yaml:1:19: executing "r" at <include "r" .>: error calling include: ' +
        'rendering template has a nested reference name: r: unable to execute template',
    ),
  );
});

it('shortens what a chart makes an error say', async () => {
  const long = `(print "${'x'.repeat(100_000)}")`;
  const define = (last: string) =>
    `{{ define "r" }}{{ if gt (len .) 100 }}${last}{{ else }}{{ include "r" (append . ${long}) }}{{ end }}{{ end }}`;
  const error = await failure(render(`${define('{{ .x.y }}')}{{ include "r" list }}`));
  const { why } = error.data as HelmFailures['template-failed'];
  expect(why.length).toBeLessThan(300_000);
});

it('distinguishes a failing template from values that the chart refuses', async () => {
  expect(await failure(render('a: {{ .Values.a.b.c }}'))).toEqual(
    failed(
      'demo/templates/a.yaml:1:13\n  executing "demo/templates/a.yaml" at <.Values.a.b.c>:\n    nil pointer evaluating interface {}.b',
    ),
  );
  expect(await failure(render('a: {{ required "name it" .Values.a }}'))).toEqual(
    failed('execution error at (demo/templates/a.yaml:1:6): name it', true),
  );
});

it.each([
  ['deepCopy', '{{ deepCopy $d | len }}'],
  ['merge', '{{ merge (dict "a" $d) (dict "a" $d) | len }}'],
])('ends %s of what is nested too deeply with a limit of its own', async (_name, text) => {
  const nested = '{{ $d := dict "x" 1 }}{{ range until 2000 }}{{ $d = dict "a" $d }}{{ end }}';
  expect(await failure(render(nested + text))).toEqual(limit({ of: 'nested-value' }));
});
