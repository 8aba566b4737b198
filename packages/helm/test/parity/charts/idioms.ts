import { type ChartCase, chartYaml } from './chart-case.ts';

const HELPERS = `{{/* The name, short enough for a label. */}}
{{- define "app.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "app.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "app.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "app.selector" . }}
{{- if .Chart.AppVersion }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "app.selector" -}}
app.kubernetes.io/name: {{ include "app.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "app.image" -}}
{{- $registry := .global.registry | default .image.registry -}}
{{- $tag := .image.tag | default "latest" | toString -}}
{{- if $registry }}{{ printf "%s/%s:%s" $registry .image.repository $tag }}{{ else }}{{ printf "%s:%s" .image.repository $tag }}{{ end -}}
{{- end -}}

{{- define "app.render" -}}
{{- $value := typeIs "string" .value | ternary .value (.value | toYaml) }}
{{- if contains "{{" (toJson .value) }}
{{- tpl $value .context }}
{{- else }}
{{- $value }}
{{- end }}
{{- end -}}

{{- define "app.merged" -}}
{{- $out := dict -}}
{{- range .values -}}
{{- $out = merge $out (include "app.render" (dict "value" . "context" $.context) | fromYaml) -}}
{{- end -}}
{{ $out | toYaml }}
{{- end -}}
`;

const DEPLOYMENT = `{{- if not .Values.statefulSet }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "app.fullname" . }}
  namespace: {{ .Release.Namespace | quote }}
  labels: {{- include "app.labels" . | nindent 4 }}
  {{- if or .Values.annotations .Values.commonAnnotations }}
  annotations: {{- include "app.merged" (dict "values" (list .Values.annotations .Values.commonAnnotations) "context" .) | nindent 4 }}
  {{- end }}
spec:
  {{- if not .Values.autoscaling.enabled }}
  replicas: {{ .Values.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "app.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "app.labels" . | nindent 8 }}
    spec:
      {{- with .Values.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      containers:
        - name: {{ .Chart.Name }}
          image: {{ include "app.image" (dict "image" .Values.image "global" .Values.global) | quote }}
          ports:
            {{- range $name, $port := .Values.ports }}
            - name: {{ $name }}
              containerPort: {{ $port | int }}
              protocol: {{ hasPrefix "udp" $name | ternary "UDP" "TCP" }}
            {{- end }}
          {{- if .Values.env }}
          env:
            {{- range $key := keys .Values.env | sortAlpha }}
            - name: {{ $key | upper | replace "-" "_" }}
              value: {{ index $.Values.env $key | toString | quote }}
            {{- end }}
          {{- end }}
          {{- if .Values.resources }}
          resources: {{- toYaml .Values.resources | nindent 12 }}
          {{- end }}
          {{- with (omit .Values.security "enabled") }}
          securityContext: {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- if and .Values.probe (not .Values.probe.disabled) }}
          livenessProbe:
            {{- toYaml (omit .Values.probe "disabled") | nindent 12 }}
          {{- end }}
      {{- $affinity := .Values.affinity | default dict }}
      {{- if $affinity }}
      affinity: {{ toYaml $affinity | nindent 8 }}
      {{- end }}
      tolerations: {{ .Values.tolerations | default list | toJson }}
      volumes:
        {{- range $i, $volume := .Values.volumes }}
        - name: {{ $volume.name | default (printf "volume-%d" $i) }}
          {{- if eq $volume.kind "empty" }}
          emptyDir: {}
          {{- else if eq $volume.kind "config" }}
          configMap:
            name: {{ tpl $volume.ref $ }}
          {{- else }}
          {{- fail (printf "unknown kind of volume: %s" $volume.kind) }}
          {{- end }}
        {{- else }}
        []
        {{- end }}
{{- end }}
`;

const VALUES = {
  nameOverride: '',
  fullnameOverride: null,
  global: { registry: '' },
  commonLabels: { team: 'a', number: '12' },
  annotations: { one: '{{ .Release.Name }}', two: 'plain' },
  commonAnnotations: { three: '{{ .Chart.Name | upper }}', one: 'never' },
  replicas: 3,
  statefulSet: false,
  autoscaling: { enabled: false },
  image: { registry: 'docker.io', repository: 'lib/app', tag: 1.5 },
  pullSecrets: ['s1', 's2'],
  ports: { http: 8080, 'udp-dns': 53, metrics: 1000000 },
  env: { 'log-level': 'info', retries: 3, debug: false, ratio: 0.25, huge: 12345678 },
  resources: { limits: { cpu: '100m', memory: '1Gi' }, requests: { cpu: 0.5 } },
  security: { enabled: true, runAsUser: 1001, readOnlyRootFilesystem: true },
  probe: { httpGet: { path: '/healthz', port: 'http' }, initialDelaySeconds: 5, disabled: false },
  affinity: {},
  volumes: [
    { name: 'a', kind: 'empty' },
    { kind: 'config', ref: '{{ include "app.fullname" . }}-config' },
  ],
  config: { 'app.yaml': 'a: 1\nb:\n  - x\n', 'empty.txt': '', script: '#!/bin/sh\necho "hi"\n' },
  extra: [
    'kind: Extra\nname: {{ .Release.Name }}\n',
    { kind: 'ExtraMap', list: [1, '{{ .Values.replicas }}'] },
  ],
};

const MORE = `{{- range $i, $extra := .Values.extra }}
---
{{ include "app.render" (dict "value" $extra "context" $) }}
{{- end }}
---
kind: ConfigMap
metadata:
  name: {{ include "app.fullname" . }}-config
data:
  {{- range $name, $text := .Values.config }}
  {{ $name }}: |-
    {{- $text | nindent 4 }}
  {{- end }}
  {{- (.Files.Glob "config/*").AsConfig | nindent 2 }}
  joined: {{ join "," (list 1 "b" true 2.5) }}
  json: {{ .Values.config | toJson | quote }}
  summary: |
    math: {{ add 1 2 | mul 3 }} {{ sub 5 2 }} {{ div 7 2 }} {{ mod 7 2 }} {{ max 1 5 3 }} {{ round 2.567 2 }} {{ ceil 1.2 }} {{ floor 1.8 }}
    text: {{ title "some words" }} {{ cat "x" 1 nil "y" }} {{ nospace "a b" }}
    lists: {{ without (list 1 2 3) 2 }} {{ uniq (list 1 1 2) }} {{ append (list 1) 2 }} {{ concat (list 1) (list 2) }} {{ reverse (list 1 2 3) }} {{ slice (list 1 2 3) 1 }}
    has: {{ has "s1" .Values.pullSecrets }} {{ hasKey .Values.env "debug" }} {{ empty .Values.affinity }} {{ kindOf .Values.replicas }} {{ typeOf .Values.ports }}
    pick: {{ pick .Values.env "debug" "retries" | toJson }}
    dig: {{ dig "limits" "cpu" "none" .Values.resources }} {{ dig "x" "y" "none" .Values.resources }}
    quote: {{ squote "it's" }} {{ quote "a" 1 nil }}
    coalesce: {{ coalesce .Values.nameOverride .Values.fullnameOverride "last" }}
    list-of-maps: {{ range $p := list (dict "n" "a") (dict "n" "b") }}[{{ $p.n }}]{{ end }}
    until: {{ range until 3 }}{{ . }}{{ end }} {{ range untilStep 10 0 -3 }}{{ . }},{{ end }} {{ seq 1 3 }}
`;

/** Charts as people write them. */
export const IDIOM_CHARTS: readonly ChartCase[] = [
  ...(
    [
      ['web', {}],
      [
        'web-override',
        { fullnameOverride: 'chosen', image: { tag: null }, global: { registry: 'r.example' }, volumes: [] },
      ],
      [
        'web-autoscaled',
        {
          autoscaling: { enabled: true },
          affinity: { nodeAffinity: { x: [1, 2] } },
          env: null,
          probe: { disabled: true },
        },
      ],
      [
        'web-set',
        {
          statefulSet: true,
          nameOverride: 'a-very-long-name-that-is-cut-because-labels-hold-sixty-three-characters-only',
        },
      ],
      ['web-bad-volume', { volumes: [{ kind: 'nfs' }] }],
      ['web-wrong-type', { ports: 'not a map' }],
      ['web-wrong-volume', { volumes: ['text'] }],
      ['web-tpl-error', { annotations: { one: '{{ .Values.nope.deeper }}' } }],
      ['web-tpl-parse-error', { annotations: { one: '{{ if }}' } }],
    ] as const
  ).map(
    ([name, values]): ChartCase => ({
      name,
      files: {
        'Chart.yaml': chartYaml(name),
        'values.yaml': JSON.stringify(VALUES),
        'templates/_helpers.tpl': HELPERS,
        'templates/deployment.yaml': DEPLOYMENT,
        'templates/more.yaml': MORE,
        'templates/NOTES.txt': '{{ include "app.fullname" . }}',
        'config/a.conf': 'listen 80;\n',
        'config/b.conf': 'x\n\ny',
      },
      values,
    }),
  ),
];
