import type { KubeFailures, MissingEntry } from '@logtool/kube/src/values/failures.ts';
import { KUBE_FACTS } from '../../../messages/kube.ts';
import { KUBE_NEXT, loginNext, missingApiNext } from '../../../messages/kube-next.ts';
import { type FactsOf, type NextOf, withNext } from '../../../messages/message.ts';

const REREAD = 'correct the file: logtool reads it again by itself';

const NEXT: NextOf<KubeFailures> = {
  ...KUBE_NEXT,
  conflict: 'check the current state, then try again',
  'connection-lost': ({ server, context }) =>
    server.startsWith('http://')
      ? `try again; if it fails again, the server address of context "${context}" may have to begin with https://`
      : 'try again; if it fails again, something between here and the cluster cuts connections',
  'exec-plugin-failed': (trouble) => {
    switch (trouble.problem) {
      case 'answer':
        return `run ${trouble.plugin} by hand, and check that its version fits the kubeconfig`;
      case 'no-terminal':
        return 'use other credentials, or start logtool in a terminal';
      case 'run':
        return `run it by hand to see more: ${trouble.command}`;
    }
  },
  gone: 'load the page again',
  'in-cluster-missing': 'start logtool in a pod that has a service account, or with a kubeconfig',
  'kubeconfig-invalid': REREAD,
  'kubeconfig-not-found': 'put the file there: logtool reads it by itself',
  'kubeconfig-unreadable': ({ isForbidden }) =>
    isForbidden ? 'give the user that runs logtool permission to read the file' : REREAD,
  'missing-cluster': missingEntryNext,
  'missing-user': missingEntryNext,
  'no-answer': 'try again; if it fails again, the API server is overloaded, or a proxy delays the answer',
  'no-current-context': 'choose one permanently with `kubectl config use-context NAME`',
  'not-found': (answer) =>
    'missing' in answer ? missingApiNext(answer) : 'check the name and the namespace before the colon',
  'server-error': 'if it fails again, check the API server and the node of the pod',
  'too-many-requests': 'wait a little, or choose fewer containers',
  unauthorized: (trouble) => (trouble.hasOwnToken ? 'sign in with another token' : loginNext(trouble)),
  unexpected: 'check what the server printed, and report it',
  'unknown-context': ({ near }) => (near === undefined ? 'choose one of them' : `did you mean ${near}?`),
};

const FACTS: FactsOf<KubeFailures> = {
  ...KUBE_FACTS,
  // A user of the page need not know which file the server tried to read.
  'kubeconfig-not-found': (data) => ({ what: KUBE_FACTS['kubeconfig-not-found'](data).what }),
  unexpected: (data) => ({
    ...KUBE_FACTS.unexpected(data),
    ...(data.isDefect || data.server === undefined ? { what: 'the server failed unexpectedly' } : {}),
  }),
};

export const KUBE_MESSAGES = withNext(FACTS, NEXT);

function missingEntryNext({ file }: MissingEntry): string {
  return `correct the context in ${file}, or choose another`;
}
