import { queryOf } from '../../addresses/address-of.js'
import { useRead } from '../api/use-read.js'
import { FilterInput } from './filter-input.js'
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

const MAX_VALUES = 10

/** Where the values of filters are, and which field of a record they are. */
const SOURCES: Partial<Record<string, { path: string; field: string }>> = {
  label: { path: 'labels', field: 'name' },
  milestone: { path: 'milestones', field: 'title' },
  author: { path: 'members/all', field: 'username' },
  assignee: { path: 'members/all', field: 'username' },
  reviewer: { path: 'members/all', field: 'username' },
}

/** A field for words and filters such as `crash label:bug author:ada`, which completes the filters. */
export function FilterField({ table, base, ...field }: FilterFieldProps) {
  const useChoices = (text: string | undefined) => {
    const values = useValues(table, base, text ?? '')
    return text === undefined ? [] : completionsOf(table, text, values)
  }
  return (
    <FilterInput
      {...field}
      placeholder="Words, or label:bug author:ada milestone:…"
      useChoices={useChoices}
      isKnown={(text) => readFilter(table, text).unknown.length === 0}
    />
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
          per_page: MAX_VALUES,
        })}`
      : undefined
  const { data } = useRead<Record<string, string>[]>(path, { staleTime: 60_000, keepsPrevious: true })
  if (!source || !data) return []
  return data.flatMap((record) => record[source.field] ?? [])
}
