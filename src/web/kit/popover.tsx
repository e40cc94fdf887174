import { ChevronDown } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'

import { Button, type ButtonLook } from './button.js'
import { classNames } from './class-names.js'
import floating from './floating.module.css'
import { Icon } from './icon.js'
import { placeBelow } from './place-below.js'
import styles from './popover.module.css'

interface PopoverProps extends ButtonLook {
  /** Content of the button. */
  label: ComponentChildren
  /** Name of the button and of the box for screen readers, where it differs from the text. */
  name?: string
  /** A class of the button. */
  class?: string | undefined
  /** The button has no arrow. */
  isBare?: boolean
  /** The content is rendered when the box opens, because it reads something. A field in it has the focus then. */
  rendersWhenOpen?: boolean
  children: ComponentChildren
}

/** A button that opens a box with any content below it. Escape and a click elsewhere close it, and a link in it. */
export function Popover({
  label,
  name = typeof label === 'string' ? label : undefined,
  rendersWhenOpen = false,
  isBare = false,
  children,
  ...look
}: PopoverProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLSpanElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <span ref={button}>
      <Button {...look} popovertarget={id} aria-haspopup="dialog" aria-label={name}>
        <span class={styles['label']}>{label}</span>
        {!isBare && <Icon icon={ChevronDown} size={14} />}
      </Button>
      <div
        id={id}
        popover="auto"
        ref={box}
        role="dialog"
        aria-label={name}
        class={classNames(floating['box'], styles['popover'])}
        onToggle={({ newState }) => {
          setOpen(newState === 'open')
          if (newState !== 'open') return
          placeBelow(button.current, box.current)
          requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('input[type=search]')?.focus())
        }}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('a')) box.current?.hidePopover()
        }}
      >
        {(isOpen || !rendersWhenOpen) && children}
      </div>
    </span>
  )
}
