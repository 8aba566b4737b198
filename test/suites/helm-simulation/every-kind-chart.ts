/** A chart with every kind common in charts, a CustomResourceDefinition and hooks: file to content. */
export const EVERY_KIND: Readonly<Record<string, string>> = {
  'Chart.yaml': `apiVersion: v2
name: every-kind
version: 0.1.0
`,
  'crds/w.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget, shortNames: [wd] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: { type: integer }
                tags: { type: array, items: { type: string }, x-kubernetes-list-type: set }
                items:
                  {
                    type: array,
                    x-kubernetes-list-type: map,
                    x-kubernetes-list-map-keys: [name],
                    items:
                      {
                        type: object,
                        required: [name],
                        properties: { name: { type: string }, size: { type: integer } },
                      },
                  }
`,
  'templates/all.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {terminationGracePeriodSeconds: 0, containers: [{name: db, image: postgres:1, ports: [{containerPort: 5432, name: pg}], env: [{name: V, value: {{ .Values.v }}}], volumeMounts: [{name: data, mountPath: /data}], readinessProbe: {tcpSocket: {port: pg}}}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {terminationGracePeriodSeconds: 0, containers: [{name: a, image: agent:1, args: [run]}], volumes: [{name: s, secret: {secretName: s}}, {name: x, emptyDir: {}}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {terminationGracePeriodSeconds: 0, initContainers: [{name: i, image: i:1, command: [/migrate]}], containers: [{name: w, image: nginx, ports: [{containerPort: 80}, {containerPort: 80, protocol: UDP}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: db}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80, name: http}, {port: 443, name: https}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec: {rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec: {podSelector: {}, ingress: [{}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: own}
spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 5Gi}}}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {password: {{ .Values.v }}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: sa}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: r}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: rb}
roleRef: {kind: Role, name: r, apiGroup: rbac.authorization.k8s.io}
subjects: [{kind: ServiceAccount, name: sa}]
---
apiVersion: batch/v1
kind: Job
metadata: {name: once-{{ .Values.v }}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: j, image: j:1}]}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec: {schedule: "0 3 29 2 *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: j, image: j:1}]}}}}}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: wi}
spec: {size: 3, tags: [b, a], items: [{name: x, size: 1}, {name: {{ .Values.v }}, size: 2}]}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec: {group: metrics.k8s.io, version: v1beta1, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: {name: web, namespace: {{ .Release.Namespace }}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hook}
webhooks: [{name: a.example.com, admissionReviewVersions: [v1], sideEffects: None, clientConfig: {service: {name: web, namespace: {{ .Release.Namespace }}}}, rules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [gadgets]}]}]
`,
  'templates/hooks.yaml': `apiVersion: batch/v1
kind: Job
metadata: {name: pre, annotations: {helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-weight: "-5", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: j, image: busybox, env: [{name: SIMCLUSTER_BEHAVIOR, value: "{lines: [migrating], exit: {code: {{ .Values.exitCode | default 0 }} }}"}]}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: post, annotations: {helm.sh/hook: "post-install,post-upgrade,test", helm.sh/hook-delete-policy: before-hook-creation}}
spec: {restartPolicy: Never, containers: [{name: j, image: busybox, command: [echo, done]}]}
`,
  'values.yaml': `v: one
`,
};
