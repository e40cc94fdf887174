import { ChevronDown } from 'lucide'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

import { classNames } from './class-names.js'
import styles from './combobox.module.css'
import { Field } from './field.js'
import { Icon } from './icon.js'

export interface ComboboxChoice {
  value: string
  label: string
  /** A word behind the label. */
  detail?: string
}

interface ComboboxProps {
  label: string
  help?: string | undefined
  error?: string | undefined
  hidesLabel?: boolean
  /** The chosen value; it need not be among the choices. */
  value: string
  /** The text of the chosen value. */
  valueLabel: string
  choices: readonly ComboboxChoice[]
  /** Called as the reader types, to find other choices; without it, the given ones are filtered. */
  onSearch?: (text: string) => void
  onChoose: (choice: ComboboxChoice) => void
  /** In place of the choices when there are none. */
  none?: string
  disabled?: boolean
}

/** A field that finds one of many choices by typing: the combobox with a list of the ARIA patterns. */
export function Combobox({
  label,
  help,
  error,
  hidesLabel = false,
  value,
  valueLabel,
  choices,
  onSearch,
  onChoose,
  none = 'Nothing found.',
  disabled = false,
}: ComboboxProps) {
  const listId = useId()
  const [text, setText] = useState<string>()
  const [index, setIndex] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const isOpen = text !== undefined
  const shown = isOpen && !onSearch ? choices.filter((choice) => matches(choice, text)) : choices
  const activeIndex = Math.min(index, shown.length - 1)
  const active = shown[activeIndex]
  const list = useRef<HTMLDivElement>(null)
  // Scrolls a dialog around it, whose end would cut off the list.
  useEffect(() => {
    if (isOpen) list.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, shown.length])
  useEffect(() => {
    if (isOpen) list.current?.children[activeIndex]?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, activeIndex])

  const open = () => {
    if (isOpen) return
    setText('')
    setIndex(
      Math.max(
        0,
        choices.findIndex((choice) => choice.value === value),
      ),
    )
    onSearch?.('')
  }
  const close = () => setText(undefined)
  const choose = (choice: ComboboxChoice | undefined) => {
    if (choice) onChoose(choice)
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (isOpen) setIndex((index + step + shown.length) % Math.max(1, shown.length))
      else open()
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      choose(active)
    } else if (event.key === 'Escape' && isOpen) {
      // The dialog around it stays open.
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }
  return (
    <Field label={label} help={help} error={error} hidesLabel={hidesLabel}>
      {(ids) => (
        <div class={styles['box']}>
          <input
            {...ids}
            ref={input}
            class={styles['input']}
            type="text"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && active ? `${listId}-${activeIndex}` : undefined}
            autoComplete="off"
            spellcheck={false}
            disabled={disabled}
            placeholder={valueLabel}
            value={text ?? valueLabel}
            onFocus={open}
            onClick={open}
            onBlur={close}
            onKeyDown={onKeyDown}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value)
              setIndex(0)
              onSearch?.(currentTarget.value)
            }}
          />
          <Icon icon={ChevronDown} size={14} class={styles['chevron']} />
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={label}
            class={styles['list']}
            hidden={!isOpen}
          >
            {shown.map((choice, position) => (
              <div
                key={choice.value}
                id={`${listId}-${position}`}
                role="option"
                aria-selected={choice === active}
                class={classNames(styles['choice'], choice.value === value && styles['chosen'])}
                // Before the field loses the focus, which would close the list.
                onMouseDown={(event) => {
                  event.preventDefault()
                  choose(choice)
                }}
              >
                <span class={styles['label']}>{choice.label}</span>
                {choice.detail !== undefined && <span class={styles['detail']}>{choice.detail}</span>}
              </div>
            ))}
            {shown.length === 0 && (
              <div role="option" aria-selected="false" aria-disabled="true" class={styles['none']}>
                {none}
              </div>
            )}
          </div>
        </div>
      )}
    </Field>
  )
}

function matches({ label, detail = '' }: ComboboxChoice, text: string): boolean {
  return `${label} ${detail}`.toLowerCase().includes(text.trim().toLowerCase())
}
