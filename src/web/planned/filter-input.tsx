import { ListFilter, X } from 'lucide'
import { useEffect, useId, useState } from 'preact/hooks'

import { IconButton } from '../kit/button.js'
import { classNames } from '../kit/class-names.js'
import { Icon } from '../kit/icon.js'
import box from '../kit/input-box.module.css'
import styles from './filter-input.module.css'

interface FilterInputProps {
  /** Name of the field. */
  label: string
  placeholder: string
  value: string
  onChange: (filter: string | undefined) => void
  /** A hook: the texts that a text could become; undefined while the list of them is closed. */
  useChoices: (text: string | undefined) => readonly string[]
  /** Whether a text holds nothing but words and filters that exist. */
  isKnown: (text: string) => boolean
}

const MAX_CHOICES = 10

/** A field for words and filters such as `login ref:main status:failed`, which completes the filters. */
export function FilterInput({ label, placeholder, value, onChange, useChoices, isKnown }: FilterInputProps) {
  const id = useId()
  const [text, setText] = useState(value)
  const [isOpen, setOpen] = useState(false)
  const [index, setIndex] = useState(-1)
  useEffect(() => setText(value), [value])
  const choices = useChoices(isOpen ? text : undefined).slice(0, MAX_CHOICES)
  const apply = (next: string) => {
    setText(next)
    setIndex(-1)
    if (!next.endsWith(':')) onChange(next.trim() || undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && choices.length > 0) {
      event.preventDefault()
      setIndex((index + step + choices.length) % choices.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      apply(choices[index] ?? text)
      if (index < 0) setOpen(false)
    } else if (event.key === 'Escape') setOpen(false)
  }
  return (
    <div class={classNames(box['box'], styles['filter'])} data-filter="">
      <Icon icon={ListFilter} size={15} />
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={choices.length > 0}
        aria-controls={id}
        aria-activedescendant={index >= 0 ? `${id}-${index}` : undefined}
        placeholder={placeholder}
        value={text}
        spellcheck={false}
        autoComplete="off"
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={({ currentTarget }) => {
          const next = currentTarget.value
          setText(next)
          setOpen(true)
          setIndex(-1)
          if (next === '' || (/\s$/.test(next) && isKnown(next))) onChange(next.trim() || undefined)
        }}
        onKeyDown={onKeyDown}
      />
      {text !== '' && <IconButton size="small" icon={X} label="Clear the filter" onClick={() => apply('')} />}
      <ul id={id} role="listbox" aria-label="Filters" class={styles['choices']} hidden={choices.length === 0}>
        {choices.map((choice, position) => (
          <li
            key={choice}
            id={`${id}-${position}`}
            role="option"
            aria-selected={position === index}
            class={styles['choice']}
            // A click must not take the focus from the field before it counts.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => apply(choice)}
          >
            {/(?:[a-z]+:"[^"]*"|\S+)$/.exec(choice.trim())?.[0]}
          </li>
        ))}
      </ul>
    </div>
  )
}
