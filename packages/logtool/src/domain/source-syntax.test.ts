import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rejectingWithMessage, withMessage } from '../../../../test/support/with-message.ts';
import type { LogtoolError } from '../cli/messages/logtool-error.ts';
import { parseKind, parseSource } from './source-syntax.ts';

/** Returns a source in one line: namespace, kind, name and container, `-` for each that is absent. */
function outline(argument: string): string {
  const spec = parseSource(argument);
  const kind = spec.kind === undefined ? '-' : spec.kind.name;
  return [spec.namespace?.text ?? '-', kind, spec.name.text, spec.container?.text ?? '-'].join(' ');
}

test.each([
  ['web-0', '- - web-0 -'],
  ['deployments/web', '- deployments web -'],
  ['deployments/*', '- deployments * -'],
  ['deployments/web/nginx', '- deployments web nginx'],
  ['deployments/web/*', '- deployments web *'],
  ['shop:web-0', 'shop - web-0 -'],
  ['shop:deployments/web', 'shop deployments web -'],
  ['shop:deployments/web/nginx', 'shop deployments web nginx'],
  ['*:pods/*', '* pods * -'],
  ['ns-*:deployments/*', 'ns-* deployments * -'],
  ['Deployment/web', '- deployment web -'],
  ['deploy/web-*', '- deploy web-* -'],
  ['deploy/*-7d9f/log-*', '- deploy *-7d9f log-*'],
  ['deployments', '- - deployments -'],
  ['web-*', '- - web-* -'],
  ['a.b.c', '- - a.b.c -'],
  ['0', '- - 0 -'],
  ['rollouts.argoproj.io/web', '- rollouts web -'],
])('%s', (argument, expected) => {
  expect(outline(argument)).toBe(expected);
});

test.each([
  ['pods', { name: 'pods' }],
  ['Deployments.APPS', { name: 'deployments', group: 'apps' }],
  ['deployments.v1.apps', { name: 'deployments', version: 'v1', group: 'apps' }],
  ['rollouts.argoproj.io', { name: 'rollouts', group: 'argoproj.io' }],
  ['rollouts.v1alpha1.argoproj.io', { name: 'rollouts', version: 'v1alpha1', group: 'argoproj.io' }],
  ['services.v1.', { name: 'services', version: 'v1', group: '' }],
  ['services.v1', { name: 'services', version: 'v1', group: '' }],
])('kind %s', (text, expected) => {
  expect(parseKind(text)).toEqual(expected);
});

/** Returns the index over the caret, and the error. */
function refuse(argument: string): { readonly at: number; readonly error: LogtoolError } {
  try {
    parseSource(argument);
  } catch (error) {
    const refused = withMessage(error);
    const [, shown = '', caret = ''] = (refused.why ?? '').split('\n');
    expect(shown.slice(4)).toBe(argument);
    return { at: caret.indexOf('^') - 4, error: refused };
  }
  throw new Error(`${argument} was accepted`);
}

describe('wrong sources', () => {
  test.each([
    ['', 0, 'empty'],
    ['Web', 0, 'capital'],
    ['deployments/Web', 12, 'capital'],
    ['deployments/web_1', 15, "'_'"],
    ['deployments/', 12, 'deployments/*'],
    ['deployments/web/', 16, 'container is missing'],
    ['deployments/web/c/d', 17, 'nothing can follow'],
    ['deployments/web/a.b', 17, "'.'"],
    ['/web', 0, 'kind is missing'],
    ['*/web', 0, 'kind'],
    ['dep_loy/web', 3, 'not a kind'],
    [':web', 0, 'namespace'],
    ['shop:', 5, 'missing'],
    ['shop:a:b', 6, 'only one namespace'],
    ['Shop:web', 0, 'capital'],
    ['sh.op:web', 2, "'.'"],
    ['-web', 0, 'begin'],
    ['web-', 3, 'end'],
    ['web.', 3, 'end'],
    ['a..b', 2, 'begin'],
    ['a-.b', 1, 'before'],
    ['a.-b', 2, 'begin'],
    ['web 0', 3, 'blank'],
    ['wéb', 1, "'é'"],
    ['pods/[a]', 5, "'['"],
    ['pods/web?', 8, "'?'"],
  ])('%j is refused at %i', (argument, at, found) => {
    const refused = refuse(argument);
    expect(refused.at).toBe(at);
    expect(refused.error.why).toContain(found);
    expect(refused.error.exit).toBe('usage');
  });

  test('refuses names that are too long after the last allowed character', () => {
    const name = 'a'.repeat(64);
    expect(() => parseSource(`${name}:web`)).toThrow(CodedError);
    expect(() => parseSource(`pods/web/${name}`)).toThrow(CodedError);
    expect(() => parseSource(`pods/${name}`)).not.toThrow();
    expect(() => parseSource('a'.repeat(253))).not.toThrow();
    expect(() => parseSource('a'.repeat(254))).toThrow(CodedError);
  });

  test('a lone kind that cannot be a pod suggests all of that kind', () => {
    expect(refuse('Deployments').error.next).toContain('deployments/*');
    expect(refuse('shop:Deploy').error.next).toContain('shop:deployments/*');
  });
});

test('the first line of an error is one line for every reader', () => {
  const parse = async () => parseSource('a\u2028b\u2029\u0085\u202ec');
  return expect(rejectingWithMessage(parse())).rejects.toThrow('"a?b???c" is not a log source');
});

test('what is put together from good parts comes apart into the same parts', () => {
  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/);
  fc.assert(
    fc.property(label, label, label, label, (namespace, kind, name, container) => {
      expect(outline(`${namespace}:${kind}/${name}/${container}`)).toBe(
        `${namespace} ${kind} ${name} ${container}`,
      );
    }),
  );
});
