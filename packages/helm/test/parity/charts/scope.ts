import { type ChartCase, chartYaml } from './chart-case.ts';

const show = (name: string, ...expressions: string[]) =>
  `kind: Show\nmetadata:\n  name: ${name}\n${expressions.map((text, at) => `e${at}: {{ ${text} | quote }}\n`).join('')}`;

/** Sub-charts, library charts, named templates from several files, and what templates do to values. */
export const SCOPE_CHARTS: readonly ChartCase[] = [
  {
    name: 'subcharts',
    files: {
      'Chart.yaml': chartYaml(
        'subcharts',
        [
          'dependencies:',
          '  - {name: one, version: 1.2.3}',
          '  - {name: two, version: 1.2.3, alias: renamed}',
          '  - {name: two, version: 1.2.3, alias: off, condition: off.enabled}',
          '  - {name: three, version: 1.2.3, tags: [extra]}',
          '',
        ].join('\n'),
      ),
      'values.yaml':
        'global: {shared: everywhere}\nown: parent\none: {given: by-parent}\nrenamed: {given: to-alias}\noff: {enabled: false}\ntags: {extra: true}\n',
      'templates/a.yaml': show(
        'parent',
        '.Values.own',
        '.Values.one.given',
        '.Values.one.default',
        '.Values.global.shared',
        '.Subcharts.one.Values.given',
        '.Subcharts.one.Chart.Name',
        '.Subcharts.renamed.Chart.Name',
        '.Subcharts.off',
        '.Subcharts.one.Subcharts.nested.Values.leaf',
        '.Chart.IsRoot',
        '.Template.Name',
        '.Template.BasePath',
        'include "where" .',
        'include "one.only" .',
        'len .Chart.Dependencies',
        'keys .Subcharts | sortAlpha | join ","',
      ),
      'templates/_where.tpl': '{{ define "where" }}parent{{ end }}',
      'charts/one/Chart.yaml': chartYaml('one', 'dependencies:\n  - {name: nested, version: 1.2.3}\n'),
      'charts/one/values.yaml': 'default: of-one\ngiven: nobody\nnested: {leaf: from-one}\n',
      'charts/one/templates/a.yaml': show(
        'one',
        '.Values.given',
        '.Values.default',
        '.Values.global.shared',
        '.Values.own',
        '.Values.nested.leaf',
        '.Chart.Name',
        '.Chart.IsRoot',
        '.Template.Name',
        '.Template.BasePath',
        '.Release.Name',
        'include "where" .',
        '.Files.Get "data.txt"',
      ),
      'charts/one/data.txt': 'data of one',
      'charts/one/templates/_where.tpl':
        '{{ define "where" }}one{{ end }}{{ define "one.only" }}defined in one for {{ .Chart.Name }}{{ end }}',
      'charts/one/templates/NOTES.txt': 'never shown',
      'charts/one/charts/nested/Chart.yaml': chartYaml('nested'),
      'charts/one/charts/nested/values.yaml': 'leaf: default-leaf\n',
      'charts/one/charts/nested/templates/a.yaml': show(
        'nested',
        '.Values.leaf',
        '.Values.global.shared',
        '.Template.Name',
        'include "where" .',
      ),
      'charts/two/Chart.yaml': chartYaml('two'),
      'charts/two/values.yaml': 'given: nobody\n',
      'charts/two/templates/a.yaml': show(
        'two',
        '.Values.given',
        '.Chart.Name',
        '.Template.Name',
        'toJson .Values',
      ),
      'charts/three/Chart.yaml': chartYaml('three'),
      'charts/three/templates/a.yaml': show('three', 'toJson .Values', '.Chart.AppVersion'),
    },
    values: { renamed: { more: 'from-user' }, one: { nested: { leaf: 'from-user' } } },
  },
  {
    name: 'library',
    files: {
      'Chart.yaml': chartYaml('library', 'dependencies:\n  - {name: lib, version: 1.2.3}\n'),
      'values.yaml': 'labels: {a: b}\nextra: "{{ .Release.Name }}-{{ .Chart.Name }}"\n',
      'templates/a.yaml':
        '{{ include "lib.object" (dict "kind" "ConfigMap" "top" . "data" (dict "k" "v" "n" 1)) }}\n---\n{{ include "lib.object" (dict "kind" "Secret" "top" $) }}\n',
      'charts/lib/Chart.yaml': chartYaml('lib', 'type: library\n'),
      'charts/lib/values.yaml': 'fromLib: yes\n',
      'charts/lib/templates/_object.tpl': [
        '{{- define "lib.object" -}}',
        '{{- $top := .top -}}',
        'apiVersion: v1',
        'kind: {{ .kind }}',
        'metadata:',
        '  name: {{ printf "%s-%s" $top.Release.Name $top.Chart.Name | trunc 63 | trimSuffix "-" }}',
        '  labels: {{- toYaml $top.Values.labels | nindent 4 }}',
        '  annotations:',
        '    text: {{ tpl $top.Values.extra $top | quote }}',
        '{{- with .data }}',
        'data: {{- toYaml . | nindent 2 }}',
        '{{- end }}',
        '{{- end -}}',
      ].join('\n'),
      'charts/lib/templates/ignored.yaml': 'kind: Ignored\n',
    },
  },
  {
    name: 'definitions',
    files: {
      'templates/a.yaml': `{{ define "x" }}a{{ end }}${show('a', 'include "x" .', 'include "y" .')}`,
      'templates/b.yaml': `{{ define "x" }}b{{ end }}${show('b', 'include "x" .', 'include "y" .')}`,
      'templates/deep/er/c.yaml': `{{ define "x" }}c{{ end }}{{ define "y" }}c{{ end }}${show('c', 'include "x" .')}`,
      'templates/_y.tpl': '{{ define "y" }}   {{ end }}',
      'templates/z.yaml': '{{ define "definitions/templates/a.yaml" }}kind: Overridden{{ end }}',
    },
  },
  {
    name: 'mutation',
    files: {
      'values.yaml': 'count: 0\nmap: {a: 1}\n',
      'templates/a.yaml':
        '{{ $_ := set .Values "count" (add .Values.count 1) }}' +
        show('a', '.Values.count', 'toJson .Values.map'),
      'templates/b.yaml':
        '{{ $_ := set .Values "count" (add .Values.count 1) }}{{ $_ := set .Values.map "b" .Values.count }}' +
        show('b', '.Values.count'),
      'templates/c.yaml': `{{ $_ := unset .Values "count" }}${show('c', '.Values.count')}`,
      'templates/sub/d.yaml': `{{ $_ := set .Values.map "d" "first" }}${show('d', '.Values.count', 'toJson .Values.map')}`,
      'templates/e.yaml':
        '{{ $c := deepCopy .Values.map }}{{ $_ := set $c "x" 1 }}' +
        show('e', 'toJson $c', 'toJson .Values.map'),
    },
  },
  {
    name: 'release',
    files: {
      'templates/a.yaml': show(
        'a',
        '.Release.Name',
        '.Release.Namespace',
        '.Release.IsInstall',
        '.Release.IsUpgrade',
        '.Release.Revision',
        '.Capabilities.KubeVersion.Version',
        '.Capabilities.KubeVersion.Major',
        '.Capabilities.KubeVersion.Minor',
        '.Capabilities.KubeVersion.GitVersion',
        '.Capabilities.APIVersions.Has "example.com/v1"',
        '.Capabilities.APIVersions.Has "example.com/v1/Thing"',
        '.Capabilities.APIVersions.Has "v1"',
        '.Chart.Version',
        '.Chart.AppVersion',
        '.Chart.Description',
        '(index .Chart.Maintainers 0).Name',
        'toJson .Chart.Annotations',
        'toJson .Chart.Keywords',
      ),
      'Chart.yaml': chartYaml(
        'release',
        'description: A chart\nkeywords: [a, b]\nmaintainers: [{name: Ann, email: a@b.c}]\nannotations: {k: v}\n',
      ),
    },
    isUpgrade: true,
    kubeVersion: 'v1.30.2',
    apiVersions: ['example.com/v1', 'example.com/v1/Thing'],
  },
  {
    name: 'empty-required',
    files: { 'templates/a.yaml': 'kind: A\nname: {{ required "A name is required!" .Values.name }}\n' },
  },
  {
    name: 'failing-include',
    files: {
      'templates/_h.tpl':
        '{{ define "h.inner" }}\n{{ .Values.a.b.c }}{{ end }}{{ define "h.outer" }}{{ include "h.inner" . }}{{ end }}',
      'templates/a.yaml': 'kind: A\n{{ include "h.outer" . }}\n',
    },
  },
  {
    name: 'failing-fail',
    files: {
      'templates/_h.tpl':
        '{{ define "check" }}{{ if not .Values.ok }}{{ fail "\\n\\nSet ok: it is needed" }}{{ end }}{{ end }}',
      'templates/a.yaml': 'kind: A\n\n{{- include "check" . }}\n',
    },
  },
  { name: 'unclosed', files: { 'templates/a.yaml': 'kind: A\n{{ if .Values.x }}\n' } },
  {
    name: 'unclosed-partial',
    files: { 'templates/_a.tpl': '{{ define "x" }}\n\n', 'templates/b.yaml': 'kind: A\n' },
  },
  {
    name: 'recursion',
    files: { 'templates/a.yaml': '{{ define "r" }}{{ include "r" . }}{{ end }}kind: {{ include "r" . }}' },
  },
];
