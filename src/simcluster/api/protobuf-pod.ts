import {
  boolean,
  count,
  flag,
  inline,
  intOrText,
  type MessageShape,
  message,
  messages,
  number,
  numberList,
  quantity,
  quantityMap,
  text,
  textList,
  textMap,
  texts,
} from './protobuf-fields.ts';
import { METADATA } from './protobuf-meta.ts';

/** k8s.io/api/core/v1/generated.proto: what a pod template says. */
const NAMED = inline('localObjectReference', texts('name'));
const KEY: MessageShape = { 1: NAMED, 2: text('key'), 3: boolean('optional') };
const OPTIONAL: MessageShape = { 1: NAMED, 2: boolean('optional') };
const ITEMS = messages('items', { 1: text('key'), 2: text('path'), 3: number('mode') });
const RESOURCES: MessageShape = { 1: quantityMap('limits'), 2: quantityMap('requests') };
const SECCOMP: MessageShape = texts('type', 'localhostProfile');

const HTTP_GET: MessageShape = {
  1: text('path'),
  2: intOrText('port'),
  3: text('host'),
  4: text('scheme'),
  5: messages('httpHeaders', texts('name', 'value')),
};
const HANDLER: MessageShape = {
  1: message('exec', { 1: textList('command') }),
  2: message('httpGet', HTTP_GET),
  3: message('tcpSocket', { 1: intOrText('port'), 2: text('host') }),
  4: message('grpc', { 1: count('port'), 2: text('service') }),
};
const PROBE: MessageShape = {
  1: inline('handler', HANDLER),
  2: count('initialDelaySeconds'),
  3: count('timeoutSeconds'),
  4: count('periodSeconds'),
  5: count('successThreshold'),
  6: count('failureThreshold'),
  7: number('terminationGracePeriodSeconds'),
};

const ENVIRONMENT: MessageShape = {
  1: text('name'),
  2: text('value'),
  3: message('valueFrom', {
    1: message('fieldRef', texts('apiVersion', 'fieldPath')),
    2: message('resourceFieldRef', { 1: text('containerName'), 2: text('resource'), 3: quantity('divisor') }),
    3: message('configMapKeyRef', KEY),
    4: message('secretKeyRef', KEY),
  }),
};

const SECURITY: MessageShape = {
  1: message('capabilities', { 1: textList('add'), 2: textList('drop') }),
  2: boolean('privileged'),
  4: number('runAsUser'),
  5: boolean('runAsNonRoot'),
  6: boolean('readOnlyRootFilesystem'),
  7: boolean('allowPrivilegeEscalation'),
  8: number('runAsGroup'),
  9: text('procMount'),
  11: message('seccompProfile', SECCOMP),
};

const CONTAINER: MessageShape = {
  1: text('name'),
  2: text('image'),
  3: textList('command'),
  4: textList('args'),
  5: text('workingDir'),
  6: messages('ports', {
    1: text('name'),
    2: count('hostPort'),
    3: count('containerPort'),
    4: text('protocol'),
    5: text('hostIP'),
  }),
  7: messages('env', ENVIRONMENT),
  8: message('resources', RESOURCES),
  9: messages('volumeMounts', {
    1: text('name'),
    2: flag('readOnly'),
    3: text('mountPath'),
    4: text('subPath'),
    5: text('mountPropagation'),
    6: text('subPathExpr'),
  }),
  10: message('livenessProbe', PROBE),
  11: message('readinessProbe', PROBE),
  12: message('lifecycle', {
    1: message('postStart', HANDLER),
    2: message('preStop', HANDLER),
    3: text('stopSignal'),
  }),
  13: text('terminationMessagePath'),
  14: text('imagePullPolicy'),
  15: message('securityContext', SECURITY),
  16: flag('stdin'),
  17: flag('stdinOnce'),
  18: flag('tty'),
  19: messages('envFrom', {
    1: text('prefix'),
    2: message('configMapRef', OPTIONAL),
    3: message('secretRef', OPTIONAL),
  }),
  20: text('terminationMessagePolicy'),
  22: message('startupProbe', PROBE),
  24: text('restartPolicy'),
};

const VOLUME_SOURCE: MessageShape = {
  1: message('hostPath', texts('path', 'type')),
  2: message('emptyDir', { 1: text('medium'), 2: quantity('sizeLimit') }),
  6: message('secret', { 1: text('secretName'), 2: ITEMS, 3: number('defaultMode'), 4: boolean('optional') }),
  10: message('persistentVolumeClaim', { 1: text('claimName'), 2: flag('readOnly') }),
  19: message('configMap', { 1: NAMED, 2: ITEMS, 3: number('defaultMode'), 4: boolean('optional') }),
};

const POD_SPEC: MessageShape = {
  1: messages('volumes', { 1: text('name'), 2: inline('volumeSource', VOLUME_SOURCE) }),
  2: messages('containers', CONTAINER),
  3: text('restartPolicy'),
  4: number('terminationGracePeriodSeconds'),
  5: number('activeDeadlineSeconds'),
  6: text('dnsPolicy'),
  7: textMap('nodeSelector'),
  8: text('serviceAccountName'),
  9: text('serviceAccount'),
  10: text('nodeName'),
  11: flag('hostNetwork'),
  12: flag('hostPID'),
  13: flag('hostIPC'),
  14: message('securityContext', {
    2: number('runAsUser'),
    3: boolean('runAsNonRoot'),
    4: numberList('supplementalGroups'),
    5: number('fsGroup'),
    6: number('runAsGroup'),
    9: text('fsGroupChangePolicy'),
    10: message('seccompProfile', SECCOMP),
  }),
  15: messages('imagePullSecrets', texts('name')),
  16: text('hostname'),
  17: text('subdomain'),
  19: text('schedulerName'),
  20: messages('initContainers', CONTAINER),
  21: boolean('automountServiceAccountToken'),
  22: messages('tolerations', {
    1: text('key'),
    2: text('operator'),
    3: text('value'),
    4: text('effect'),
    5: number('tolerationSeconds'),
  }),
  24: text('priorityClassName'),
  25: number('priority'),
  27: boolean('shareProcessNamespace'),
  29: text('runtimeClassName'),
  30: boolean('enableServiceLinks'),
  31: text('preemptionPolicy'),
  35: boolean('setHostnameAsFQDN'),
  37: boolean('hostUsers'),
};

export const POD_TEMPLATE = message('template', { 1: METADATA, 2: message('spec', POD_SPEC) });
