import { Search } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'

import { Icon } from '../kit/icon.js'
import type { Choice } from './palette-choice.js'
import { remember, useChoices } from './palette-choices.js'
import styles from './palette-dialog.module.css'
import type { Section } from './side.js'

/** The open palette: a field, and what it finds. It is loaded with the first Ctrl K. */
export function PaletteDialog({ section, close }: { section: Section | undefined; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const choices = useChoices(text.trim(), section)
  const chosen = choices[Math.min(index, choices.length - 1)]
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const choose = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    remember(choice.id)
    choice.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setIndex((index + step + choices.length) % Math.max(1, choices.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(chosen)
    }
  }
  return (
    <dialog
      ref={dialog}
      class={styles['palette']}
      aria-label="Go to"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close()
      }}
    >
      <div class={styles['input']}>
        <Icon icon={Search} />
        <input
          type="text"
          role="combobox"
          aria-label="Page, project, issue, pipeline, file or command"
          aria-expanded="true"
          aria-controls="palette-choices"
          aria-activedescendant={chosen && `palette-${chosen.id}`}
          placeholder="Page, project, issue, pipeline, file or command"
          value={text}
          autoFocus
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setIndex(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id="palette-choices" role="listbox" aria-label="Results" class={styles['choices']}>
        {choices.map((choice) => (
          <div
            key={choice.id}
            id={`palette-${choice.id}`}
            role="option"
            aria-selected={choice === chosen}
            class={styles['choice']}
            onClick={() => choose(choice)}
          >
            <Icon icon={choice.icon} />
            <span class={styles['label']}>{choice.label}</span>
            {choice.detail !== undefined && <span class={styles['detail']}>{choice.detail}</span>}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class={styles['none']}>Nothing has this name.</p>}
    </dialog>
  )
}
