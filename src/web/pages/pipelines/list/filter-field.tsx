import { ListFilter, X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import { useRead } from '../../../api/use-read.js'
import { IconButton } from '../../../kit/button.js'
import { classNames } from '../../../kit/class-names.js'
import { Icon } from '../../../kit/icon.js'
import box from '../../../kit/input-box.module.css'
import styles from '../../../planned/filter-field.module.css'
import { completionsOf, FILTER_STATUSES, readFilter } from '../filter-words.js'

const SOURCES = [
  'push',
  'web',
  'api',
  'schedule',
  'trigger',
  'merge_request_event',
  'parent_pipeline',
  'pipeline',
]

interface FilterFieldProps {
  project: string
  value: string
  onChange: (filter: string | undefined) => void
}

/** A field for words and filters such as `login ref:main status:failed`, which completes the filters. */
export function FilterField({ project, value, onChange }: FilterFieldProps) {
  const [text, setText] = useState(value)
  const [isOpen, setOpen] = useState(false)
  const [index, setIndex] = useState(-1)
  useEffect(() => setText(value), [value])
  const branches = useRead<{ name: string }[]>(
    isOpen && /ref:\S*$/.test(text) ? `${projectApi(project)}/repository/branches?per_page=100` : undefined,
    { staleTime: 60_000 },
  ).data
  const choices = isOpen
    ? completionsOf(text, {
        status: FILTER_STATUSES,
        source: SOURCES,
        ref: (branches ?? []).map(({ name }) => name),
      }).slice(0, 10)
    : []
  const apply = (next: string) => {
    setText(next)
    setIndex(-1)
    if (next.endsWith(':')) return
    onChange(next.trim() || undefined)
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
    } else if (event.key === 'Escape') {
      setOpen(false)
    }
  }
  return (
    <div class={classNames(box['box'], styles['filter'])} data-filter="">
      <Icon icon={ListFilter} size={15} />
      <input
        type="text"
        role="combobox"
        aria-label="Filter pipelines"
        aria-expanded={choices.length > 0}
        aria-controls="filter-choices"
        aria-activedescendant={index >= 0 ? `filter-choice-${index}` : undefined}
        placeholder="Words, or ref:main status:failed by:root after:2026-11-01"
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
          if (next === '' || (/\s$/.test(next) && readFilter(next).unknown.length === 0))
            onChange(next.trim() || undefined)
        }}
        onKeyDown={onKeyDown}
      />
      {text !== '' && <IconButton size="small" icon={X} label="Clear the filter" onClick={() => apply('')} />}
      <ul
        id="filter-choices"
        role="listbox"
        aria-label="Filters"
        class={styles['choices']}
        hidden={choices.length === 0}
      >
        {choices.map((choice, position) => (
          <li
            key={choice}
            id={`filter-choice-${position}`}
            role="option"
            aria-selected={position === index}
            class={styles['choice']}
            // A click must not take the focus from the field before it counts.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => apply(choice)}
          >
            {choice.slice(choice.lastIndexOf(' ') + 1)}
          </li>
        ))}
      </ul>
    </div>
  )
}
