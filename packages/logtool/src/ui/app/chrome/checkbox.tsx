import { type InputHTMLAttributes, useEffect, useRef } from 'react';
import { Icon } from './icons.tsx';

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'checked' | 'type'> {
  readonly state: 'none' | 'some' | 'all';
}

/** A drawn box with a real checkbox inside. */
export function Checkbox({ state, ...rest }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = state === 'some';
  }, [state]);
  return (
    <span className="box-frame">
      <input {...rest} ref={input} type="checkbox" className="box" checked={state === 'all'} />
      {state === 'none' ? null : <Icon name={state === 'all' ? 'check' : 'dash'} size={9} />}
    </span>
  );
}
