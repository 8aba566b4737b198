import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireError } from '../../contract/error.ts';
import type * as contract from '../../contract/log-frame.ts';
import type { LogFrame } from '../../contract/log-frame.ts';
import type { ScanFrame } from '../../domain/coverage/scan.ts';
import { formatCursor } from '../../domain/cursor.ts';
import type { ContainerReport, Frame } from '../../domain/frame.ts';
import { toWireError } from '../to-wire-error.ts';
import type { SourceTable } from './source-table.ts';

/** A frame of the engine without records. */
export type PlainFrame = Exclude<Frame, { readonly type: 'records' }>;

type FrameOf<T extends PlainFrame['type']> = Extract<PlainFrame, { readonly type: T }>;

/** Converts a frame of the engine to the contract, for query `q`; undefined if the contract has no such frame. */
export function toWireFrame(frame: PlainFrame, q: number, table: SourceTable): LogFrame | undefined {
  switch (frame.type) {
    case 'source':
      return stateFrame(frame, q, table);
    case 'gap':
      return gapFrame(frame, q, table);
    case 'progress':
      return { ...frame, q };
    case 'notice':
      return noticeFrame(frame, q);
    case 'unanswered':
      return { ...answersOf(frame, q, table), type: 'unanswered', forMs: frame.forMs };
    case 'answered':
      return { ...answersOf(frame, q, table), type: 'answered' };
    case 'end':
      return endFrame(frame, q);
    case 'bytes':
      // Only a raw plan is answered with bytes.
      return undefined;
  }
}

function stateFrame(frame: FrameOf<'source'>, q: number, table: SourceTable): LogFrame {
  const { type: _, target, others, otherIds, ...state } = frame;
  return {
    ...wireState(state),
    type: 'state',
    q,
    source: table.indexOfPresent(target),
    others,
    otherIds: otherIds && [...otherIds],
  };
}

function wireState(state: ContainerReport): ContainerReport<WireError> {
  switch (state.state) {
    case 'reconnecting':
    case 'failed':
      return { ...state, error: toWireError(state.error) };
    case 'finished':
    case 'joined':
    case 'left':
    case 'reconnected':
    case 'restarted':
    case 'waiting':
      return state;
  }
}

function answersOf({ targets }: FrameOf<'unanswered' | 'answered'>, q: number, table: SourceTable) {
  return { q, sources: targets.map((target) => table.indexOfPresent(target)) };
}

function gapFrame({ target, from, to, cause }: FrameOf<'gap'>, q: number, table: SourceTable): LogFrame {
  return {
    type: 'gap',
    q,
    source: table.indexOfPresent(target),
    from: from && formatTimestamp(from),
    to: to && formatTimestamp(to),
    cause,
  };
}

function noticeFrame(frame: FrameOf<'notice'>, q: number): LogFrame {
  if (frame.code === 'source-failed') return { ...frame, q, error: toWireError(frame.error) };
  const { cause, ...notice } = frame;
  return { ...notice, q, cause: cause && toWireError(cause) };
}

function endFrame({ live, prev, next, cut }: FrameOf<'end'>, q: number): LogFrame {
  return {
    type: 'end',
    q,
    live,
    prev: prev && formatCursor(prev),
    next: next && formatCursor(next),
    cut,
  };
}

/** Converts a frame that only a scan has to the contract. */
export function toWireScan(
  frame: Extract<ScanFrame, { readonly type: 'counts' | 'coverage' | 'scanning' | 'scanned' }>,
  q: number,
): contract.ScanFrame {
  switch (frame.type) {
    case 'counts': {
      const buckets = frame.buckets.map(({ fromMs, lines, matches }) => ({
        fromMs,
        lines: [...lines],
        matches: [...matches],
      }));
      return { type: 'counts', q, id: frame.target.id, bucketMs: frame.bucketMs, buckets };
    }
    case 'coverage': {
      const { target, from, to, position } = frame;
      return {
        type: 'coverage',
        q,
        id: target.id,
        from: from && formatTimestamp(from),
        to: to && formatTimestamp(to),
        position: position && { at: formatTimestamp(position.at), shown: position.shown },
      };
    }
    case 'scanning':
      return { ...frame, q };
    case 'scanned': {
      const incomplete = frame.incomplete.map(({ id }) => id);
      const failed = frame.failed.map(({ id }) => id);
      return { ...frame, q, incomplete, failed };
    }
  }
}
