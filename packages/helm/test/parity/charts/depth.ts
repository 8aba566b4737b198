import type { ChartCase } from './chart-case.ts';

/** A template that calls itself until what it counts is none. */
function countdown(name: string, from: number, body: string): ChartCase {
  const last = '{{ define "last" }}a: {b: c}{{ end }}';
  const step = `{{ define "r" }}${body}{{ end }}`;
  return {
    name,
    files: { 'templates/a.yaml': `${last}${step}kind: A\ntext: |\n{{ include "r" ${from} | indent 2 }}\n` },
  };
}

const DEEPER = '(sub . 1)';

/** Charts whose templates call each other as deep as Helm lets them. */
export const DEPTH_CHARTS: readonly ChartCase[] = [
  countdown('deep-include', 1000, `{{ if . }}{{ include "r" ${DEEPER} }}{{ else }}end{{ end }}`),
  countdown('too-deep-include', 1001, `{{ if . }}{{ include "r" ${DEEPER} }}{{ else }}end{{ end }}`),
  countdown(
    'deep-blocks',
    1000,
    `{{ $n := . }}{{ if gt (int .) 0 }}{{ range $i, $e := list $n }}{{ with dict "n" (sub $e 1) }}` +
      `{{ if eq $i 0 }}{{ .n | include "r" | trim | nindent 0 | trim }}{{ end }}{{ end }}{{ end }}{{ else }}end{{ end }}`,
  ),
  countdown(
    'deep-documents',
    900,
    `{{ if . }}{{ (include "r" ${DEEPER} | fromYaml | toYaml | nindent 1) | trim }}{{ else }}{{ include "last" . }}{{ end }}`,
  ),
  countdown(
    'deep-tpl',
    900,
    `{{ if . }}{{ tpl "{{ with . }}{{ include \\"r\\" ${DEEPER} | quote | trimAll \\"\\\\\\"\\" }}{{ end }}" . }}{{ else }}end{{ end }}`,
  ),
  countdown(
    'deep-pair',
    1900,
    `{{ define "s" }}{{ or (include "r" ${DEEPER}) "none" }}{{ end }}{{ if gt (int .) 0 }}{{ include "s" ${DEEPER} }}{{ else }}end{{ end }}`,
  ),
  countdown(
    'deep-template',
    20_000,
    `{{ define "t" }}{{ if . }}{{ with ${DEEPER} }}{{ template "t" . }}{{ end }}{{ end }}x{{ end }}{{ template "t" . }}`,
  ),
  {
    name: 'endless-template',
    files: { 'templates/a.yaml': '{{ define "r" }}{{ template "r" . }}{{ end }}kind: {{ template "r" . }}' },
  },
];
