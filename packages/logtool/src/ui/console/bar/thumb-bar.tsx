import { Icon } from '../../app/chrome/icons.tsx';
import { unlessGone } from '../../worker/session/log-worker-client.ts';
import { type ToolProps, useSlots } from '../tools/slots.ts';
import type { ConsoleColumn } from '../url/console-url.ts';
import { FollowButton } from './follow-button.tsx';
import { MoreMenu } from './more-menu.tsx';
import './thumb-bar.css';

interface ThumbBarProps {
  readonly tools: ToolProps;
  readonly columns: readonly ConsoleColumn[] | undefined;
  readonly onFilters: () => void;
}

/** Below the log of a narrow window, within reach of a thumb: filters, errors, range, following and the rest. */
export function ThumbBar({ tools, columns, onFilters }: ThumbBarProps) {
  const { session } = tools;
  const { Range } = useSlots();
  const find = (direction: 'previous' | 'next') => unlessGone(session.find('error', direction));
  return (
    <nav className="thumb-bar" aria-label="Actions">
      <button type="button" className="icon-button" aria-label="Filters" onClick={onFilters}>
        <Icon name="menu" size={14} />
      </button>
      <button
        type="button"
        className="icon-button error-above"
        aria-label="Previous error"
        onClick={() => find('previous')}
      />
      <button
        type="button"
        className="icon-button error-below"
        aria-label="Next error"
        onClick={() => find('next')}
      />
      <Range {...tools} />
      <FollowButton tools={tools} />
      <MoreMenu tools={tools} columns={columns} isNarrow />
    </nav>
  );
}
