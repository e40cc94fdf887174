import { ChevronDown, Ellipsis, type IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

import { Button, type ButtonLook } from './button.js'
import { classNames } from './class-names.js'
import floating from './floating.module.css'
import { Icon } from './icon.js'
import styles from './menu.module.css'
import { useOfflineReason } from './offline.js'
import { placeBelow } from './place-below.js'

interface MenuProps extends ButtonLook {
  /** Text of the button; without one it shows three dots and has the name `name`. */
  label?: ComponentChildren
  /** Name of the button for screen readers, where `label` is no plain text. */
  name?: string
  children: ComponentChildren
  class?: string | undefined
}

/** A button that opens a list of actions below it. Escape and a click elsewhere close it. */
export function Menu({ label, name, children, icon, kind = 'plain', size, class: className }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLSpanElement>(null)

  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('a, button:not(:disabled)') ?? [])]
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const here = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: all.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    all.at(next % all.length)?.focus()
  }
  return (
    <span class={className} ref={button}>
      <Button
        kind={kind}
        {...(size && { size })}
        icon={label === undefined ? (icon ?? Ellipsis) : icon}
        popovertarget={id}
        aria-haspopup="true"
        aria-label={name}
        title={label === undefined ? name : undefined}
      >
        {label}
        {label !== undefined && <Icon icon={ChevronDown} size={14} />}
      </Button>
      <div
        id={id}
        popover="auto"
        ref={list}
        class={classNames(floating['box'], styles['menu'])}
        onKeyDown={onKeyDown}
        onToggle={({ newState }) => {
          if (newState !== 'open') return
          placeBelow(button.current, list.current)
          items()[0]?.focus()
        }}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </span>
  )
}

interface MenuItemProps {
  icon?: IconNode | undefined
  /** A link; without it, a button with `onSelect`. */
  href?: string
  onSelect?: () => void
  /** The item changes data at once: it is disabled while the server cannot be reached. */
  isChange?: boolean
  /** Why it cannot be used now. */
  reason?: string | undefined
  isDangerous?: boolean
  children: ComponentChildren
}

export function MenuItem({
  icon,
  href,
  onSelect,
  isChange = false,
  reason: given,
  isDangerous = false,
  children,
}: MenuItemProps) {
  const offline = useOfflineReason(isChange)
  const reason = given ?? offline
  const className = classNames(styles['item'], isDangerous && styles['dangerous'])
  const content = (
    <>
      {icon ? <Icon icon={icon} size={15} /> : <span class={styles['noIcon']} />}
      <span>{children}</span>
    </>
  )
  if (href !== undefined) {
    return (
      <a class={className} href={href}>
        {content}
      </a>
    )
  }
  return (
    <button type="button" class={className} onClick={onSelect} disabled={reason !== undefined} title={reason}>
      {content}
    </button>
  )
}

export function MenuLine() {
  return <hr class={styles['line']} />
}
