import { Bookmark, Check, Plus, Trash2 } from 'lucide'

import { usePreferences } from '../../../frame/use-preferences.js'
import { Menu, MenuItem, MenuLine } from '../../../kit/menu.js'
import { readFilter } from '../filter-words.js'

interface SavedFiltersProps {
  /** Text of the filter that is applied; empty without one. */
  value: string
  onChange: (filter: string) => void
}

/** The filters that the reader has saved on this device, for the pipelines of all projects. */
export function SavedFilters({ value, onChange }: SavedFiltersProps) {
  const [{ pipelineFilters: saved }, change] = usePreferences()
  const isSaved = saved.includes(value)
  const isValid = value !== '' && readFilter(value).unknown.length === 0
  return (
    <Menu icon={Bookmark} label="Saved filters">
      {saved.map((filter) => (
        <MenuItem key={filter} icon={filter === value ? Check : undefined} onSelect={() => onChange(filter)}>
          {filter}
        </MenuItem>
      ))}
      {saved.length > 0 && <MenuLine />}
      {isSaved ? (
        <MenuItem
          icon={Trash2}
          onSelect={() => change({ pipelineFilters: saved.filter((filter) => filter !== value) })}
        >
          Delete this filter
        </MenuItem>
      ) : (
        <MenuItem
          icon={Plus}
          reason={isValid ? undefined : 'Enter a valid filter first'}
          onSelect={() => change({ pipelineFilters: [...saved, value] })}
        >
          Save this filter
        </MenuItem>
      )}
    </Menu>
  )
}
