import { type ReactNode, useRef, useState } from 'react';
import { Late, LateComponent } from '../../frame/late-component.tsx';

/** The panel itself; the first load omits it. */
export const POPOVER_PANEL = new LateComponent(() =>
  import('./popover-panel.tsx').then((module) => module.PopoverPanel),
);

interface PopoverProps {
  /** Name of the panel. */
  readonly label: string;
  /** Content and class of the button, and its accessible name if the text is not enough. */
  readonly trigger: ReactNode;
  readonly triggerClass: string;
  readonly triggerLabel?: string | undefined;
  readonly title?: string | undefined;
  readonly align?: 'start' | 'end';
  readonly className?: string;
  readonly onOpen?: () => void;
  /** Content of the panel; `close` closes it. */
  readonly children: (close: () => void) => ReactNode;
}

/**
 * A button with a panel below it. Arrow keys move between the focusable elements inside; Escape and a click
 * outside close it.
 */
export function Popover(props: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
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
        onClick={() => {
          if (!isOpen) props.onOpen?.();
          setOpen(!isOpen);
        }}
      >
        {props.trigger}
      </button>
      {isOpen ? (
        <Late
          component={POPOVER_PANEL}
          props={{
            label: props.label,
            align: props.align ?? 'start',
            className: props.className ?? '',
            button,
            onClose: close,
            children: props.children(close),
          }}
        />
      ) : null}
    </>
  );
}
