import { describe, expect, it } from 'vitest';
import { readOptions } from './options.ts';

describe('the arguments of a run on a cluster', () => {
  it('reads all of them', () => {
    const args = [
      '--kubeconfig',
      'k',
      '--namespace=n',
      '--image',
      'registry.example:5000/box:1',
      '--host-network',
    ];
    const rest = ['--image-pull-policy', 'Never', '--node-selector', 'kubernetes.io/os=linux,tier='];
    expect(readOptions([...args, ...rest])).toEqual({
      kubeconfig: 'k',
      namespace: 'n',
      image: 'registry.example:5000/box:1',
      imagePullPolicy: 'Never',
      hostNetwork: true,
      nodeSelector: { 'kubernetes.io/os': 'linux', tier: '' },
    });
  });

  it('needs no more than the kubeconfig', () => {
    expect(readOptions(['--kubeconfig=k'])).toMatchObject({ image: 'busybox:stable', hostNetwork: false });
    expect(readOptions(['--help'])).toBe('help');
  });

  it.each([
    [[], '--kubeconfig FILE'],
    [['--kubeconfig='], '--kubeconfig FILE'],
    [['--kubeconfig'], 'argument missing'],
    [['--kubeconfig=k', '--nope'], '--nope'],
    [['--kubeconfig=k', 'extra'], 'extra'],
    [['--kubeconfig=k', '--namespace=Upper'], '"Upper"'],
    [['--kubeconfig=k', '--image='], '--image ""'],
    [['--kubeconfig=k', '--image=two words'], '"two words"'],
    [['--kubeconfig=k', '--image-pull-policy=never'], 'Always, IfNotPresent, Never, not "never"'],
    [['--kubeconfig=k', '--node-selector=linux'], '"linux"'],
    [['--kubeconfig=k', '--node-selector=a=b,'], '""'],
    [['--kubeconfig=k', '--node-selector=a=b=c'], '"a=b=c"'],
    [['--kubeconfig=k', '--node-selector=-a=b'], '"-a=b"'],
    [['--kubeconfig=k', '--host-network=maybe'], 'host-network'],
  ])('says what is wrong with %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
