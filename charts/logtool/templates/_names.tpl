{{- /* The names, labels and image that all templates use. */ -}}

{{- define "logtool.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimAll "-" }}
{{- end }}

{{- /* The name of a release may have dots and may start with a digit. The name of a Service may not (RFC 1035). */ -}}
{{- define "logtool.fullname" -}}
{{- $name := include "logtool.name" . }}
{{- $release := .Release.Name | replace "." "-" }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride }}
{{- else if regexMatch "^[0-9]" $release }}
{{- printf "%s-%s" $name $release | trunc 63 | trimAll "-" }}
{{- else if contains $name $release }}
{{- $release | trunc 63 | trimAll "-" }}
{{- else }}
{{- printf "%s-%s" $release $name | trunc 63 | trimAll "-" }}
{{- end }}
{{- end }}

{{- define "logtool.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" | quote }}
{{ include "logtool.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "logtool.selector" -}}
app.kubernetes.io/name: {{ include "logtool.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- /* The labels of an object, and the annotations that all objects have. */ -}}
{{- define "logtool.metadata" -}}
labels:
  {{- include "logtool.labels" . | nindent 2 }}
{{- with .Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "logtool.image" -}}
{{- $registry := (.Values.global | default dict).imageRegistry | default .Values.image.registry }}
{{- $image := printf "%s/%s" $registry .Values.image.repository | trimPrefix "/" }}
{{- if .Values.image.digest }}
{{- printf "%s@%s" $image .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" $image (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}
{{- end }}

{{- /* The pull secrets. A parent chart passes names, or objects in the form that pods use. */ -}}
{{- define "logtool.pullSecrets" -}}
{{- $names := .Values.image.pullSecrets | default list }}
{{- range (.Values.global | default dict).imagePullSecrets }}
{{- $names = append $names (kindIs "string" . | ternary . (get (kindIs "map" . | ternary . dict) "name")) }}
{{- end }}
{{- with uniq $names }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* Returns the fields of a map that are not null. A parent chart may pass on a null, to unset a default. */ -}}
{{- define "logtool.set" -}}
{{- $set := dict }}
{{- range $name, $value := . }}
{{- if not (kindIs "invalid" $value) }}
{{- $_ := set $set $name $value }}
{{- end }}
{{- end }}
{{- with $set }}
{{- toYaml . }}
{{- end }}
{{- end }}
