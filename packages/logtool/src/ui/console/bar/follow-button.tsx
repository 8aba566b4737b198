import { ariaChord } from '../../keys/chord.ts';
import { consoleChord } from '../../keys/log-keys.ts';
import { timeText } from '../../messages/dated-time.ts';
import { followText } from '../../messages/standing.ts';
import { canFollow, canLinesCome, standingOf } from '../state/standing.ts';
import type { ToolProps } from '../tools/slots.ts';
import './follow-button.css';

const KEYS = [consoleChord('follow'), consoleChord('pause')].map(ariaChord).join(' ');

/** Shows whether the page follows the newest line, lit if new lines can arrive; while paused, since when. */
export function FollowButton({ tools }: { readonly tools: ToolProps }) {
  const { state, session, clock } = tools;
  const { pausedAtMs, isFollowing } = state;
  const standing = standingOf(state);
  const isPaused = pausedAtMs !== undefined;
  const label = isPaused
    ? `Paused ${timeText(clock, pausedAtMs)}`
    : isFollowing
      ? followText(standing)
      : 'Follow';
  const isLit = isFollowing && canLinesCome(standing);
  const toggle = () => {
    if (isPaused) {
      session.pause(false);
      return;
    }
    session.follow(!isFollowing);
  };
  return (
    <button
      type="button"
      className={`button follow ${isPaused ? 'paused' : isLit ? 'on' : ''}`}
      aria-pressed={isFollowing && !isPaused && canFollow(standing)}
      aria-keyshortcuts={KEYS}
      onClick={toggle}
    >
      <span className="follow-dot" aria-hidden="true" />
      {label}
    </button>
  );
}
