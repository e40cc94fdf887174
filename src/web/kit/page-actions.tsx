import { Ellipsis } from 'lucide'
import { type ComponentChildren, Fragment, isValidElement, toChildArray, type VNode } from 'preact'
import { useId, useRef } from 'preact/hooks'

import { Button, type ButtonLook } from './button.js'
import { classNames } from './class-names.js'
import floating from './floating.module.css'
import styles from './page-actions.module.css'
import { placeBelow } from './place-below.js'
import { useNarrow } from './use-narrow.js'

interface PageActionsProps extends Pick<ButtonLook, 'size'> {
  children: ComponentChildren
}

/**
 * The buttons of a page. On narrow screens, the main one stays, and a button opens a box with the others. They are the
 * same elements at each width, so that a dialog of one of them stays open when the screen is rotated.
 */
export function PageActions({ size, children }: PageActionsProps) {
  const id = useId()
  const narrow = useNarrow(700)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLSpanElement>(null)
  const all = flat(children)
  const main = all.find((child) => isMain(child)) ?? all[0]
  const others = all.filter((child) => child !== main)
  const collapses = narrow && others.length > 0
  const first = <Fragment key="main">{main}</Fragment>
  return (
    <div class={styles['actions']}>
      {(collapses || main === all[0]) && first}
      {collapses && (
        <span key="more" ref={button} class={styles['more']}>
          <Button
            icon={Ellipsis}
            {...(size && { size })}
            popovertarget={id}
            aria-haspopup="dialog"
            aria-label="More actions"
            title="More actions"
          />
        </span>
      )}
      <div
        key="others"
        id={id}
        ref={box}
        popover={collapses ? 'auto' : undefined}
        role={collapses ? 'dialog' : undefined}
        aria-label={collapses ? 'More actions' : undefined}
        class={classNames(styles['others'], collapses && floating['box'], collapses && styles['box'])}
        onToggle={({ newState, target }) => {
          if (newState === 'open' && target === box.current) placeBelow(button.current, box.current)
        }}
        onClick={({ target }) => {
          if (collapses && target instanceof Element && target.closest('a')) box.current?.hidePopover()
        }}
      >
        {others}
      </div>
      {!collapses && main !== all[0] && first}
    </div>
  )
}

type Child = VNode | string | number

function flat(children: ComponentChildren): Child[] {
  return toChildArray(children).flatMap((child) =>
    isValidElement(child) && child.type === Fragment
      ? flat((child.props as { children?: ComponentChildren }).children)
      : [child],
  )
}

function isMain(child: Child): boolean {
  return isValidElement(child) && (child.props as { kind?: unknown }).kind === 'primary'
}
