import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';

const loadPanel = () => import('./popover-panel.tsx');
const PopoverPanel = lazy(() => loadPanel().then((module) => ({ default: module.PopoverPanel })));

interface PopoverProps {
  /** Name of the panel. */
  readonly label: string;
  /** What is in the button, its class, and its name where its text is not enough. */
  readonly trigger: ReactNode;
  readonly triggerClass: string;
  readonly triggerLabel?: string | undefined;
  readonly title?: string | undefined;
  readonly align?: 'start' | 'end';
  readonly className?: string;
  readonly onOpen?: () => void;
  /** What is inside; `close` ends it. */
  readonly children: (close: () => void) => ReactNode;
}

/**
 * A button with a panel under it. Arrow keys go through what can be focused inside; Escape and a click outside close
 * it. The panel's code is loaded when the button is pointed at: the first page does not wait for it.
 */
export function Popover(props: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  const preload = () => void loadPanel();
  return (
    <>
      <button
        ref={button}
        type="button"
        className={props.triggerClass}
        aria-label={props.triggerLabel}
        title={props.title}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => {
          if (!isOpen) props.onOpen?.();
          setOpen(!isOpen);
        }}
      >
        {props.trigger}
      </button>
      {isOpen ? (
        <Suspense>
          <PopoverPanel
            label={props.label}
            align={props.align ?? 'start'}
            className={props.className ?? ''}
            button={button}
            onClose={close}
          >
            {props.children(close)}
          </PopoverPanel>
        </Suspense>
      ) : null}
    </>
  );
}
