import type { KubeFailures, KubeNotice, MissingEntry } from '@logtool/kube/src/values/failures.ts';
import { KUBE_FACTS } from '../../messages/kube.ts';
import { KUBE_NEXT, loginNext, missingApiNext } from '../../messages/kube-next.ts';
import { type NextOf, withNext } from '../../messages/message.ts';
import { whyText } from '../../messages/problems.ts';

const NEXT: NextOf<KubeFailures> = {
  ...KUBE_NEXT,
  conflict: 'check the current state, then run it again',
  'connection-lost': ({ server, context }) =>
    server.startsWith('http://')
      ? `run it again; if it fails again, the server address of context "${context}" may have to begin with https://`
      : 'run it again; if it fails again, something between here and the cluster cuts connections',
  'exec-plugin-failed': (trouble) => {
    switch (trouble.problem) {
      case 'answer':
        return `run ${trouble.plugin} by hand, and check that its version fits the kubeconfig`;
      case 'no-terminal':
        return 'run in a terminal, or use other credentials';
      case 'run':
        return `run it by hand to see more: ${trouble.command}`;
    }
  },
  gone: 'run it again',
  'in-cluster-missing':
    'use --in-cluster only inside a pod that has a service account; elsewhere use --kubeconfig',
  'kubeconfig-invalid': 'correct the file, or name another one with --kubeconfig',
  'kubeconfig-not-found': 'name a kubeconfig with --kubeconfig or KUBECONFIG; inside a pod, use --in-cluster',
  'kubeconfig-unreadable': ({ isForbidden }) =>
    isForbidden
      ? 'give yourself permission to read the file, or name another one with --kubeconfig'
      : 'name another file with --kubeconfig',
  'missing-cluster': missingEntryNext,
  'missing-user': missingEntryNext,
  'no-answer': 'run it again; if it fails again, the API server is overloaded, or a proxy delays the answer',
  'no-current-context':
    'choose one with --kube-context, or permanently with `kubectl config use-context NAME`',
  'not-found': (answer) =>
    'missing' in answer ? missingApiNext(answer) : 'check the name, and the namespace with -n',
  'server-error': 'run it again; if it fails again, check the API server and the node of the pod',
  'too-many-requests':
    'wait a little and run it again, or read fewer containers at once with --max-log-requests',
  unauthorized: (trouble) =>
    trouble.hasOwnToken
      ? 'give another token with --token, or leave it out to use the kubeconfig'
      : loginNext(trouble),
  unexpected: 'run the same command with --debug and report what it prints',
  'unknown-context': ({ near }) =>
    near === undefined ? 'choose one of them with --kube-context' : `did you mean --kube-context ${near}?`,
};

export const KUBE_MESSAGES = withNext(KUBE_FACTS, NEXT);

/** Describes what a connection reports while it works. */
export function kubeNoticeText(notice: KubeNotice): string {
  switch (notice.code) {
    case 'exec-plugin-slow':
      return `waiting for the credential plugin ${notice.data.plugin}, which has printed nothing yet; Ctrl-C stops it`;
    case 'oidc-tokens-not-saved': {
      const { user, file, why } = notice.data;
      return `logtool could not save the new OIDC tokens of ${user} in ${file} (${whyText(why)}); the next start may ask you to log in again`;
    }
  }
}

function missingEntryNext({ file }: MissingEntry): string {
  return `correct the context in ${file}, or choose another with --kube-context`;
}
