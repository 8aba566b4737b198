import { type Clock, FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { LogtoolError } from '@logtool/logtool/src/cli/messages/logtool-error.ts';
import { expect, it } from 'vitest';
import { shown } from '../../../../test/support/helm/shown.ts';
import type { Chart } from '../chart/chart.ts';
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

async function failure(rendering: Promise<unknown>): Promise<LogtoolError> {
  const error = await rendering.then(() => undefined, shown);
  if (!(error instanceof LogtoolError)) throw error ?? new Error('it rendered');
  return error;
}

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
  expect(error.why).toContain('error calling lookup: secrets is forbidden');
  expect(error.why).toContain('demo/templates/a.yaml:1:6');
});

it('refuses a chart that looks up without end', async () => {
  const text = '{{ range untilStep 0 501 1 }}{{ lookup "v1" "Pod" "ns" (printf "p%d" .) }}{{ end }}';
  const error = await failure(render(text, { lookup: async () => new Map() }));
  expect(error.code).toBe('template-limit');
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
  expect(error.what).toBe('rendering the chart takes too long');
});

it('ends a template that takes too long', async () => {
  let nowMs = 0;
  const clock: Clock = { ...systemClock, now: () => (nowMs += 1000) };
  const text = '{{ range untilStep 0 3000 1 }}{{ range untilStep 0 3000 1 }}{{ end }}{{ end }}';
  const error = await failure(render(text, { clock }));
  expect(error.code).toBe('template-limit');
});

it('ends a template whose few steps take too long', async () => {
  let nowMs = 0;
  const clock: Clock = { ...systemClock, now: () => (nowMs += 10_000) };
  const error = await failure(
    render('{{ range until 50 }}{{ repeat 2000000 "x" | len }}{{ end }}', { clock }),
  );
  expect(error.what).toBe('rendering the chart takes too long');
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
  expect(error.code).toBe('template-limit');
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
  expect([error.code, error.what]).toEqual(['template-limit', expect.stringContaining('parts')]);
});

it('copies no large value again and again', async () => {
  const text =
    '{{ $l := until 200000 }}{{ $c := list }}{{ range until 1000 }}{{ $c = append $c (deepCopy $l) }}{{ end }}';
  expect((await failure(render(text))).code).toBe('template-limit');
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
  ['frames', '{{ define "r" }}{{ tpl `{{ template "r" . }}` . }}{{ end }}{{ template "r" . }}'],
  ['text', '{{ $t := repeat 2000000 "{{ . }}" }}{{ tpl $t . }}'],
])('ends endless %s of tpl with an error', async (_what, text) => {
  const error = await failure(render(text));
  expect([error.code, error.what]).toEqual(['template-limit', expect.stringContaining('tpl')]);
});

it.each([
  ['matches of a pattern', '{{ regexFindAll "" (repeat 100000 "a") -1 | len }}'],
  ['parts between matches', '{{ regexSplit "" (repeat 100000 "a") -1 | len }}'],
  ['matches to replace', '{{ regexReplaceAll "" (repeat 100000 "a") "" | len }}'],
  ['states of a pattern', '{{ regexMatch "[^a]{1000}b" (repeat 10000 "1") }}'],
])('counts %s as output', async (_what, text) => {
  const error = await failure(render(text, { limits: { timeMs: 60_000, outputCharacters: 2 ** 20 } }));
  expect(error.code).toBe('template-limit');
});

it('says each step of templates that call themselves once', async () => {
  const error = await failure(render('{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}'));
  expect(error.why).toBe(
    'template: demo/templates/a.yaml:1:47: executing "demo/templates/a.yaml" at <include "r" .>: error calling include: ' +
      'template: demo/templates/a.yaml:1:19: executing "r" at <include "r" .>: error calling include: ' +
      'rendering template has a nested reference name: r: unable to execute template',
  );
});

it('shortens what a chart makes an error say', async () => {
  const long = `(print "${'x'.repeat(100_000)}")`;
  const define = (last: string) =>
    `{{ define "r" }}{{ if gt (len .) 100 }}${last}{{ else }}{{ include "r" (append . ${long}) }}{{ end }}{{ end }}`;
  const error = await failure(render(`${define('{{ .x.y }}')}{{ include "r" list }}`));
  expect(error.why!.length).toBeLessThan(300_000);
});

it('distinguishes a failing template from values that the chart refuses', async () => {
  const failed = await failure(render('a: {{ .Values.a.b.c }}'));
  expect([failed.what, failed.why]).toEqual([
    'a template of the chart failed',
    'demo/templates/a.yaml:1:13\n  executing "demo/templates/a.yaml" at <.Values.a.b.c>:\n    nil pointer evaluating interface {}.b',
  ]);
  const refused = await failure(render('a: {{ required "name it" .Values.a }}'));
  expect([refused.what, refused.why]).toEqual([
    'the chart refuses these values',
    'execution error at (demo/templates/a.yaml:1:6): name it',
  ]);
});
