{{- /* What it takes to find a workload and to read its logs; nothing else. */ -}}
{{- define "logtool.readers.rules" -}}
- apiGroups: [""]
  resources: [pods, replicationcontrollers]
  verbs: [get, list, watch]
- apiGroups: [""]
  resources: [pods/log]
  verbs: [get]
- apiGroups: [apps]
  resources: [deployments, replicasets, statefulsets, daemonsets]
  verbs: [get, list, watch]
- apiGroups: [batch]
  resources: [jobs, cronjobs]
  verbs: [get, list, watch]
{{- end }}
