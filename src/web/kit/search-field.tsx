import { Search } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'

import { classNames } from './class-names.js'
import { Icon } from './icon.js'
import box from './input-box.module.css'
import styles from './search-field.module.css'

const PAUSE_MILLISECONDS = 200

interface SearchFieldProps {
  /** What is searched, for screen readers. */
  label: string
  placeholder: string
  /** The text that is searched now. */
  value: string
  /** Called when typing pauses, and at once when the text is sent or cleared. */
  onSearch: (text: string) => void
  class?: string | undefined
}

/** A field that filters a list as the reader types. The key `/` focuses it. */
export function SearchField({ label, placeholder, value, onSearch, class: className }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const searched = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    // The address has changed by other means than typing.
    if (value !== searched.current) setText(value)
    searched.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (next: string) => {
    clearTimeout(timer.current)
    if (next === searched.current) return
    searched.current = next
    onSearch(next)
  }
  return (
    <label class={classNames(box['box'], styles['search'], className)} data-filter="">
      <Icon icon={Search} size={15} />
      <span class="visually-hidden">{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        value={text}
        spellcheck={false}
        autoComplete="off"
        onInput={({ currentTarget }) => {
          const next = currentTarget.value
          setText(next)
          clearTimeout(timer.current)
          if (next === '') search(next)
          else timer.current = setTimeout(() => search(next), PAUSE_MILLISECONDS)
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') search(text)
        }}
      />
    </label>
  )
}
