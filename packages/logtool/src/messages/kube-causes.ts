import type {
  CertificateTrouble,
  ClusterAnswer,
  ClusterTrouble,
  InClusterTrouble,
  NameList,
  PluginEnd,
  RefusedRight,
  RequestedObject,
} from '@logtool/kube/src/values/failures.ts';
import { quoteArgument } from '@logtool/kube/src/values/quote-argument.ts';
import { whyText } from './problems.ts';
import { unknownCodeText, unknownMemberText } from './unknown-code.ts';

/** Successors of the providers that kubectl removed in 1.26 (client-go/plugin/pkg/client/auth). */
export const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  ['gcp', 'install gke-gcloud-auth-plugin, then run `gcloud container clusters get-credentials`'],
  [
    'azure',
    'install kubelogin (https://github.com/Azure/kubelogin), then run `kubelogin convert-kubeconfig`',
  ],
]);

export function lackText(trouble: InClusterTrouble): string {
  switch (trouble.lacks) {
    case 'address':
      return 'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not both set';
    case 'valid-address':
      return `KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT do not make a URL: ${trouble.url}`;
    case 'token':
      return `the pod has no service account token at ${trouble.file}`;
    case 'readable-file':
      return `logtool cannot read ${trouble.file}: ${whyText(trouble.why)}`;
    default:
      return unknownMemberText(trouble satisfies never, 'lacks');
  }
}

export const CORRECT_CERTIFICATES =
  'get the kubeconfig again from its source, or correct its certificate fields';

type UnusableCertificate = Extract<
  CertificateTrouble,
  { readonly problem: 'other-key' } | { readonly problem: 'encrypted-key' } | { readonly problem: 'unusable' }
>;

export function unusableText(trouble: UnusableCertificate): string {
  switch (trouble.problem) {
    case 'other-key':
      return 'the client-key does not belong to the client-certificate';
    case 'encrypted-key':
      return 'the client-key is encrypted with a password';
    case 'unusable':
      return `logtool cannot read them: ${whyText(trouble.why)}`;
    default:
      return unknownMemberText(trouble satisfies never, 'problem');
  }
}

export function pluginEndText(end: PluginEnd): string {
  switch (end.end) {
    case 'exit':
      return withPrinted(`it ended with exit code ${end.exitCode}`, end.printed);
    case 'killed':
      return withPrinted(`${end.signal} ended it`, end.printed);
    case 'not-started':
      return whyText(end.why);
    case 'no-interpreter':
      return 'the program that its first line names does not exist';
    case 'too-long':
      return `it wrote more than ${end.limitBytes} bytes`;
    default:
      return unknownMemberText(end satisfies never, 'end');
  }
}

export function withPrinted(how: string, printed: string): string {
  return printed === '' ? `${how} and printed nothing` : `${how}: ${printed}`;
}

export function namesText(kind: string, { names, more }: NameList): string {
  if (names.length === 0) return `there are no ${kind}`;
  return `the ${kind} are ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function userText({ user, context }: ClusterTrouble): string {
  return user === '' ? `context "${context}"` : `user "${user}"`;
}

/** Returns the subject of a request: `the log of pod "web-1" in namespace "shop"`, `pods in all namespaces`. */
export function subjectText(request: ClusterAnswer['request']): string {
  if (request === undefined) return 'the request';
  const { resource, subresource, namespace, name } = request;
  if (resource.startsWith('/')) return `discovery (${resource})`;
  const object = name === undefined ? resource : `${resource} "${name}"`;
  const target = subresource === undefined ? object : `the ${subresource} of ${object}`;
  return namespace === undefined ? target : `${target} in namespace "${namespace}"`;
}

/** Returns `get pod web-1 in namespace shop`, `list nodes`: a verb, its object, and where. */
export function rightText(right: RefusedRight): string {
  const { verb, resource, subresource, namespace, name, scope } = right;
  const path = subresource === undefined ? resource : `${resource}/${subresource}`;
  if (name === undefined) return `${verb} ${path}${scopeText(scope, namespace)}`;
  const object = objectText(right, name);
  const what = subresource === undefined ? object : `the ${subresource} of ${object}`;
  return `${verb} ${what}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
}

export function objectText({ resource, singular }: RefusedRight, name: string): string {
  return singular === undefined ? `${resource} "${name}"` : `${singular} ${quoteArgument(name)}`;
}

function scopeText(scope: RefusedRight['scope'], namespace: RequestedObject['namespace']): string {
  if (scope === undefined) return '';
  return Object.hasOwn(SCOPES, scope) ? SCOPES[scope](namespace) : ` (${unknownCodeText(scope)})`;
}

export const SCOPES: Readonly<
  Record<NonNullable<RefusedRight['scope']>, (namespace: RequestedObject['namespace']) => string>
> = {
  namespace: (namespace) => ` in namespace ${namespace}`,
  'all-namespaces': () => ' in all namespaces',
  cluster: () => ' in the whole cluster',
};
