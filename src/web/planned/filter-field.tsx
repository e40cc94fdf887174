import { ListFilter, X } from 'lucide'
import { useEffect, useId, useState } from 'preact/hooks'

import { queryOf } from '../../addresses/address-of.js'
import { useRead } from '../api/use-read.js'
import { IconButton } from '../kit/button.js'
import { classNames } from '../kit/class-names.js'
import { Icon } from '../kit/icon.js'
import box from '../kit/input-box.module.css'
import styles from './filter-field.module.css'
import { completionsOf, type FilterTable, openFilter, readFilter } from './filter-words.js'

interface FilterFieldProps {
  /** Name of the field. */
  label: string
  table: FilterTable
  /** Path of the project or group in the API, whose labels, people and milestones are proposed; null for neither. */
  base: string | null
  value: string
  onChange: (filter: string | undefined) => void
}

const MAX_CHOICES = 10

/** Where the values of filters are, and which field of a record they are. */
const SOURCES: Partial<Record<string, { path: string; field: string }>> = {
  label: { path: 'labels', field: 'name' },
  milestone: { path: 'milestones', field: 'title' },
  author: { path: 'members/all', field: 'username' },
  assignee: { path: 'members/all', field: 'username' },
  reviewer: { path: 'members/all', field: 'username' },
}

/** A field for words and filters such as `crash label:bug author:ada`, which completes the filters. */
export function FilterField({ label, table, base, value, onChange }: FilterFieldProps) {
  const id = useId()
  const [text, setText] = useState(value)
  const [isOpen, setOpen] = useState(false)
  const [index, setIndex] = useState(-1)
  useEffect(() => setText(value), [value])
  const values = useValues(table, isOpen ? base : null, text)
  const choices = isOpen ? completionsOf(table, text, values).slice(0, MAX_CHOICES) : []
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
        placeholder="Words, or label:bug author:ada milestone:…"
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
          if (next === '' || (/\s$/.test(next) && readFilter(table, next).unknown.length === 0))
            onChange(next.trim() || undefined)
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

/** Values for the filter that is being written. */
function useValues(table: FilterTable, base: string | null, text: string): string[] {
  const open = openFilter(table, text)
  const source = open && SOURCES[open.name]
  const query =
    source?.path === 'members/all'
      ? { query: open?.start || undefined }
      : { search: open?.start || undefined }
  const path =
    base !== null && source
      ? `${base}/${source.path}${queryOf({
          ...query,
          ...(source.path === 'milestones' && { include_ancestors: true, state: 'active' }),
          per_page: MAX_CHOICES,
        })}`
      : undefined
  const { data } = useRead<Record<string, string>[]>(path, { staleTime: 60_000, keepsPrevious: true })
  if (!source || !data) return []
  return data.flatMap((record) => record[source.field] ?? [])
}
