import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, msOf, type NodeUnderTest, startNode } from '../../test/support/node-under-test.ts';
import { NOT_REPLAYED, REPLAYED_AS_FOLLOW } from '../../test/support/recorded-coverage.ts';
import { recording, recordingNames, shortened } from '../../test/support/recorded-exchange.ts';
import { SETUPS } from '../../test/support/recorded-pods.ts';

/** The recorder kept only the first and the last 400 bytes of some bodies. */
const TRIMMED = Buffer.from('\n…[TRIMMED]…\n').toString('latin1');

let node: NodeUnderTest;
afterEach(() => node.close());

describe('answers as recorded', () => {
  beforeEach(() => {
    node = startNode({}, msOf('2026-11-21T01:53:28Z'));
  });

  it.each(Object.keys(SETUPS))('%s', async (name) => {
    const exchange = recording(name);
    const change = SETUPS[name]?.(node, name) ?? ((expected: string) => expected);
    const answer = await node.ask(exchange.request.path);
    if (exchange.response.status === 204) {
      expect(answer).toEqual({ kind: 'no-content' });
    } else if (exchange.response.status === 200) {
      const body = await bodyOf(answer);
      expect(body.length).toBe(exchange.response.bodyBytes);
      const expected = Buffer.from(change(exchange.body.toString('latin1')), 'latin1').toString('latin1');
      const [head = '', tail] = expected.split(TRIMMED);
      const actual = shortened(body).toString('latin1');
      if (tail === undefined) {
        expect(actual).toBe(expected);
      } else {
        expect(actual.startsWith(head)).toBe(true);
        expect(actual.endsWith(tail)).toBe(true);
      }
    } else {
      const { code, reason, message, details } = JSON.parse(exchange.body.toString());
      expect(answer).toEqual(JSON.parse(JSON.stringify({ kind: 'status', code, reason, message, details })));
    }
  });
});

describe('the recordings', () => {
  beforeEach(() => {
    node = startNode();
  });

  it('are each replayed here, followed, or left out for a reason', () => {
    const named = [...Object.keys(SETUPS), ...REPLAYED_AS_FOLLOW, ...Object.keys(NOT_REPLAYED)];
    expect(named.toSorted()).toEqual(recordingNames().toSorted());
  });
});
