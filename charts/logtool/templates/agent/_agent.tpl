{{- /* The agents read the logs of their nodes, and the API answers for all of them. */ -}}

{{- define "logtool.agent.base" -}}
{{- include "logtool.fullname" . | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- /* Takes a list: the root, and the component. */ -}}
{{- define "logtool.agent.selector" -}}
{{ include "logtool.selector" (first .) }}
app.kubernetes.io/component: {{ last . }}
{{- end }}

{{- define "logtool.agent.metadata" -}}
labels:
  {{- include "logtool.labels" (first .) | nindent 2 }}
  app.kubernetes.io/component: {{ last . }}
{{- with (first .).Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "logtool.agent.podMetadata" -}}
labels:
  {{- include "logtool.agent.selector" . | nindent 2 }}
  {{- with (first .).Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "logtool.agent.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* The Secret of the authority that signs; empty: the API makes one. */ -}}
{{- define "logtool.agent.authority" -}}
{{- if eq .Values.tls.mode "secret" }}
{{- required "tls.mode secret needs tls.secretName: a Secret with tls.crt and tls.key of an authority" .Values.tls.secretName }}
{{- else if eq .Values.tls.mode "certManager" }}
{{- printf "%s-api-authority" (include "logtool.agent.base" .) }}
{{- end }}
{{- end }}
