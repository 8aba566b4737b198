import { memo } from 'react';
import type { BufferStatus } from '../../worker/session/protocol.ts';

/** Where errors, warnings and hits are, beside the scrollbar. */
export const ScrollTicks = memo(function ScrollTicks({ status }: { readonly status: BufferStatus }) {
  return (
    <div className="scroll-ticks" aria-hidden="true">
      <Ticks at={status.warnTicks} kind="warn" />
      <Ticks at={status.errorTicks} kind="err" />
      <Ticks at={status.search.ticks} kind="hit" />
    </div>
  );
});

function Ticks({ at, kind }: { readonly at: readonly number[]; readonly kind: string }) {
  // Two marks at one place are one.
  const places = [...new Set(at.map((share) => Math.round(share * 1000) / 10))];
  return places.map((percent) => <i key={percent} className={kind} style={{ top: `${percent}%` }} />);
}
