import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useApp } from '../../shell/app-context.ts';

interface PageLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /**
   * Path and query after the base path; undefined: the target no longer exists, but the link keeps its focus.
   */
  readonly to: string | undefined;
}

/** A real link inside the dashboard: a click navigates without loading the page, Ctrl+click opens a tab. */
export function PageLink({ to, onClick, children, ...rest }: PageLinkProps) {
  const open = useOpen();
  const { basePath } = useApp();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (to === undefined || event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    open(to);
  };
  return (
    <a
      {...rest}
      {...(to === undefined ? GONE : {})}
      href={to === undefined ? undefined : basePath + to}
      onClick={follow}
    >
      {children}
    </a>
  );
}

const GONE = { role: 'link', 'aria-disabled': true } as const;

/** Returns a function that navigates to a path and query after the base path. */
export function useOpen(): (to: string) => void {
  const { basePath } = useApp();
  const { history } = useRouter();
  return (to) => history.push(basePath + to);
}

/** The browser handles all other clicks (Ctrl, Shift, another button). */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
