import { type ChartCase, chartYaml } from './chart-case.ts';

/** Expressions that show the Go type of what a chart's templates see. */
const TYPES: readonly string[] = [
  '.',
  '.Values',
  '.Values.global',
  '.Values.global.deep',
  '.Values.map',
  '.Values.nope',
  '.Chart',
  '.Release',
  '.Subcharts',
  '.Template',
  '.Files',
  '.Capabilities',
  '.Values.AsMap',
  '.Template.AsMap',
  '(.Values.Table "map")',
  '(merge (dict) .Values)',
  '(merge .Values (dict "q" 1))',
  '(deepCopy .Values)',
  '(deepCopy .)',
  '(merge (dict) .).Values',
  '(pick .Values "map")',
  '(set .Values "z" 1)',
  '(omit .Values "z")',
  '(dict "a" .Values).a',
  '(default (dict) .Values)',
  '(index .Values "map")',
  '(coalesce .Values)',
  '(ternary .Values 1 true)',
  '(list .Values | first)',
  '(get . "Values")',
  '(mergeOverwrite (dict "a" .Values) (dict "a" (dict "b" 1))).a',
  '(deepCopy (dict "a" .Values)).a',
  '(mustMerge .Values .Values.global)',
  '(fromYaml (toYaml .Values))',
  '(.Values | merge (dict "a" 1))',
].map((value) => `printf "%T %s %s" ${value} (kindOf ${value}) (typeOf ${value})`);

/** What does not show a name that the helms have not in common. */
const USES: readonly string[] = [
  'kindOf .Values',
  'typeOf .Values.global',
  'typeOf .Values.AsMap',
  'typeIs "map[string]interface {}" .Values',
  'typeIs "map[string]interface {}" .Values.map',
  'kindIs "map" .Values',
  'toJson .Values',
  'toJson .Values.AsMap',
  '.Values.YAML',
  'toYaml .Values',
  'toYamlPretty .Values',
  'toToml .Values',
  '.Template.YAML',
  '(.Values.Table "map").YAML',
  '(.Values.Table "map.map").a',
  '.Values.PathValue "map.a"',
  '.Values.PathValue "text"',
  '.Values.AsMap.map.a',
  'dig "map" "a" "none" .Values.AsMap',
  'len .Values',
  'eq (len .Values) (len .Values.AsMap)',
  'deepEqual .Values .Values',
  'deepEqual .Values .Values.AsMap',
  'printf "%v %s" .Values.global .Values.AsMap',
  'printf "%#v" .Values.global',
  'keys .Values | sortAlpha | join ","',
  'hasKey .Values "map"',
  'empty .Values',
  'with .Values }}{{ .text }}{{ .YAML | len }}{{ end }}{{ 1',
  'range $k, $v := .Values }}{{ $k }}={{ typeOf $v }};{{ end }}{{ 1',
  'tpl "{{ .Values.text }}{{ kindOf .Values }}{{ .Values.YAML | len }}" .',
  'include "kind" .Values',
  'include "kind" (merge (dict "x" 1) .Values)',
  'toJson (.Table "Release")',
  '.Table "Values" | len',
];

const WRONG: Readonly<Record<string, string>> = {
  'table-missing': '.Values.Table "nope"',
  'table-text': '.Values.Table "text"',
  'table-none': '.Values.Table',
  'table-number': '.Values.Table 1',
  'path-table': '.Values.PathValue "map"',
  'path-empty': '.Values.PathValue ""',
  'path-missing': '.Values.PathValue "nope.x"',
  'asmap-argument': '.Values.AsMap 1',
  encode: '.Values.Encode 1',
  'encode-text': '.Values.Encode .Values.text',
  'no-method-below': '.Values.map.AsMap.x',
  'no-method-of-text': '.Values.text.AsMap',
  'dig-values': 'dig "map" "a" "none" .Values',
};

const body = (name: string, expressions: readonly string[]) =>
  `kind: Show\nmetadata:\n  name: ${name}\n${expressions.map((text, at) => `e${at}: {{ ${text} | quote }}\n`).join('')}`;

/** The same expressions in a chart, in its sub-charts, an aliased one too, and in theirs. */
function everywhere(name: string, expressions: readonly string[]): ChartCase {
  const values = 'map: {a: 1, map: {a: 2}}\ntext: x\n';
  const listed = '  - {name: one, version: 1.2.3}\n  - {name: two, version: 1.2.3, alias: renamed}\n';
  return {
    name,
    files: {
      'Chart.yaml': chartYaml(name, `dependencies:\n${listed}`),
      'values.yaml': `global: {g: 1, deep: {d: 1}}\none: {map: {a: 3}}\n${values}`,
      'templates/_kind.tpl': '{{ define "kind" }}{{ kindOf . }}{{ end }}',
      'templates/a.yaml': body('top', expressions),
      'charts/one/Chart.yaml': chartYaml('one', 'dependencies:\n  - {name: nested, version: 1.2.3}\n'),
      'charts/one/values.yaml': values,
      'charts/one/templates/a.yaml': body('one', expressions),
      'charts/one/charts/nested/Chart.yaml': chartYaml('nested'),
      'charts/one/charts/nested/values.yaml': values,
      'charts/one/charts/nested/templates/a.yaml': body('nested', expressions),
      'charts/two/Chart.yaml': chartYaml('two'),
      'charts/two/values.yaml': values,
      'charts/two/templates/a.yaml': body('two', expressions),
    },
  };
}

/** The Go types of what templates see, and the methods that come with them. */
export const TYPE_CHARTS: readonly ChartCase[] = [
  // In Helm 3 the names begin with chartutil, and .Chart is a struct.
  { ...everywhere('types', TYPES), only: ['4.1.4'] },
  everywhere('uses', USES),
  {
    name: 'subchart-types',
    files: {
      ...everywhere('subchart-types', []).files,
      'templates/a.yaml': `kind: Show\n{{ range $k, $v := .Subcharts }}{{ $k }}: {{ typeOf $v }} {{ typeOf $v.Values }} {{ $v.Values.YAML | quote }}\n{{ end }}`,
    },
    only: ['4.1.4'],
  },
  {
    name: 'method-names-as-keys',
    files: {
      'values.yaml': 'AsMap: mine\nYAML: too\nTable: {a: b}\nmap: {AsMap: below}\n',
      'templates/a.yaml': body('top', ['typeOf .Values.AsMap', '.Values.YAML', '.Values.map.AsMap']),
    },
  },
  {
    name: 'shared-with-parent',
    files: {
      ...everywhere('shared-with-parent', []).files,
      'charts/one/templates/a.yaml': '{{ $_ := set .Values "made" "in one" }}',
      'templates/a.yaml': body('top', [
        '.Values.one.made',
        '.Subcharts.one.Values.made',
        'toJson .Values.one',
      ]),
    },
  },
  {
    name: 'capabilities-json',
    files: {
      'templates/a.yaml': body('top', [
        'toJson .Capabilities.HelmVersion',
        'toJson .Capabilities.KubeVersion',
        'toYaml .Capabilities.HelmVersion',
      ]),
    },
    only: ['4.1.4'],
  },
  ...Object.entries(WRONG).map(([name, expression]) => ({
    name,
    files: {
      'values.yaml': 'map: {a: 1}\ntext: x\n',
      'templates/a.yaml': `kind: A\nx: {{ ${expression} }}\n`,
    },
  })),
];
