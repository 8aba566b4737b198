import { expect, test } from 'vitest';
import { LogtoolError } from '../messages/logtool-error.ts';
import { adviseKubectl } from './open-cluster.ts';

const advised = (next: string | undefined, plan: { kubeconfig?: string; context?: string }) =>
  adviseKubectl(new LogtoolError({ code: 'x', what: 'it failed', next, exit: 'usage' }), {
    kubeconfig: plan.kubeconfig,
    context: plan.context,

    flags: '',
  });

test('kubectl is led to the cluster that was asked for, in every command of the advice', () => {
  expect(advised('kubectl get pods; or kubectl describe pod a', { context: 'my blue' }).next).toBe(
    "kubectl --context 'my blue' get pods; or kubectl --context 'my blue' describe pod a",
  );
  expect(advised('check with: kubectl auth can-i get pods', { kubeconfig: '/a$&b', context: 'c' }).next).toBe(
    "check with: kubectl --kubeconfig '/a$&b' --context c auth can-i get pods",
  );
  expect(advised('kubectl get pods', { context: 'c' })).toMatchObject({ what: 'it failed', exit: 'usage' });
});

test('commands of logtool are given what the one that failed was given', () => {
  const flags = " --kube-context 'my blue'";
  const error = new LogtoolError({
    code: 'x',
    what: 'it failed',
    next: 'logtool logs pods/a/main -n shop --tail=50; or logtool cluster rollback --name a -n shop --revision 1',
  });
  const plan = { kubeconfig: undefined, context: undefined, flags };
  expect(adviseKubectl(error, plan).next).toBe(
    `logtool logs${flags} pods/a/main -n shop --tail=50; or logtool cluster rollback${flags} --name a -n shop --revision 1`,
  );
});

test('does not change a command with a context, or a text without a command', () => {
  const whoami = 'kubectl auth whoami --context c';
  expect(advised(whoami, { context: 'c' }).next).toBe(whoami);
  expect(advised('kubectl get pods', {}).next).toBe('kubectl get pods');
  expect(advised(undefined, { context: 'c' }).next).toBeUndefined();
});
