import { Popover as Radix } from 'radix-ui';
import { type KeyboardEvent, type ReactElement, type ReactNode, useState } from 'react';

interface PopoverProps {
  readonly label: string;
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'end';
  readonly className?: string;
  readonly onOpen?: () => void;
  /** What is inside; `close` ends it. */
  readonly children: (close: () => void) => ReactNode;
}

/** A panel under its button. Arrow keys go through what can be focused inside; Escape and a click outside close it. */
export function Popover({ label, trigger, align = 'start', className = '', onOpen, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const change = (open: boolean) => {
    setOpen(open);
    if (open) onOpen?.();
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={`panel ${className}`}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onKeyDown={moveFocus}
        >
          {isOpen ? children(() => setOpen(false)) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button, a[href]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[Math.min(Math.max(at + step, 0), items.length - 1)]?.focus();
  event.preventDefault();
}
