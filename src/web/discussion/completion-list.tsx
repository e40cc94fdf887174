import { useLayoutEffect, useRef } from 'preact/hooks'

import styles from './completion-list.module.css'
import type { CompletionChoice } from './use-completions.js'

interface CompletionListProps {
  id: string
  choices: readonly CompletionChoice[]
  active: CompletionChoice | undefined
  /** Corner of the list in the box around it, in pixels. */
  at: { left: number; top: number }
  onChoose: (choice: CompletionChoice) => void
}

/** What could complete a word, below it. The field keeps the focus. */
export function CompletionList({ id, choices, active, at, onChoose }: CompletionListProps) {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    const { current } = list
    const box = current?.parentElement
    if (!current || !box) return
    current.style.top = `${at.top + 4}px`
    current.style.left = `${Math.max(0, Math.min(at.left, box.clientWidth - current.offsetWidth))}px`
  })
  return (
    <ul ref={list} id={id} role="listbox" aria-label="Suggestions" class={styles['list']}>
      {choices.map((choice, index) => (
        <li
          key={choice.text}
          id={`${id}-${index}`}
          role="option"
          aria-selected={choice === active}
          class={styles['choice']}
          // Before the field loses the focus, which would close the list.
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(choice)
          }}
        >
          {choice.color !== undefined && (
            <span class={styles['color']} style={{ background: choice.color }} />
          )}
          <span class={styles['label']}>{choice.label}</span>
          {choice.detail !== undefined && <span class={styles['detail']}>{choice.detail}</span>}
        </li>
      ))}
    </ul>
  )
}
