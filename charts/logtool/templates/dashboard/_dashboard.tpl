{{- /* The dashboard is one component of the chart. Its objects have its label, so the chart can have others too. */ -}}

{{- define "logtool.dashboard.selector" -}}
{{ include "logtool.selector" . }}
app.kubernetes.io/component: dashboard
{{- end }}

{{- define "logtool.dashboard.metadata" -}}
{{- include "logtool.dashboard.annotatedMetadata" (list . dict) }}
{{- end }}

{{- /* The same, with annotations of the object itself. Takes a list: the root and these annotations. */ -}}
{{- define "logtool.dashboard.annotatedMetadata" -}}
{{- $root := first . -}}
labels:
  {{- include "logtool.labels" $root | nindent 2 }}
  app.kubernetes.io/component: dashboard
{{- with mergeOverwrite (dict) ($root.Values.commonAnnotations | default dict) (last . | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "logtool.dashboard.metricsService" -}}
{{- printf "%s-metrics" (include "logtool.fullname" . | trunc 55 | trimSuffix "-") }}
{{- end }}

{{- define "logtool.dashboard.serviceAccount" -}}
{{- if .Values.dashboard.serviceAccount.create }}
{{- .Values.dashboard.serviceAccount.name | default (include "logtool.fullname" .) }}
{{- else }}
{{- .Values.dashboard.serviceAccount.name | default "default" }}
{{- end }}
{{- end }}

{{- /* Lists all host names that a browser may use for the dashboard. */ -}}
{{- define "logtool.dashboard.hosts" -}}
{{- $service := include "logtool.fullname" . }}
{{- $hosts := list $service (printf "%s.%s" $service .Release.Namespace) (printf "%s.%s.svc" $service .Release.Namespace) (printf "%s.%s.svc.cluster.local" $service .Release.Namespace) }}
{{- if .Values.dashboard.ingress.enabled }}
{{- $hosts = concat $hosts (.Values.dashboard.ingress.hosts | default list) }}
{{- end }}
{{- if .Values.dashboard.httpRoute.enabled }}
{{- $hosts = concat $hosts (.Values.dashboard.httpRoute.hostnames | default list) }}
{{- end }}
{{- concat $hosts (.Values.dashboard.allowedHosts | default list) | uniq | join "," }}
{{- end }}

{{- define "logtool.dashboard.sessionSecret" -}}
{{- .Values.dashboard.session.existingSecret | default (printf "%s-session" (include "logtool.fullname" . | trunc 55 | trimSuffix "-")) }}
{{- end }}

{{- define "logtool.dashboard.path" -}}
{{- printf "/%s" (.Values.dashboard.basePath | trimAll "/") }}
{{- end }}
