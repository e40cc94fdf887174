import { useSearch } from '../frame/location.js'
import { Alert } from '../kit/alert.js'
import { filterIn, filterParameters, type FilterTable, type ReadFilter, readFilter } from './filter-words.js'

interface AddressFilter {
  text: string
  filter: ReadFilter
  setFilter: (text: string | undefined) => void
}

/** The filter of the address. */
export function useFilter(table: FilterTable): AddressFilter {
  const [search, setSearch] = useSearch()
  const text = filterIn(table, search)
  return {
    text,
    filter: readFilter(table, text),
    setFilter: (next) =>
      setSearch(
        Object.fromEntries(
          filterParameters(table).map((name) => [name, name === 'filter' ? next : undefined]),
        ),
      ),
  }
}

/** Names the words of a filter that are none. */
export function UnknownWords({ filter, example }: { filter: ReadFilter; example: string }) {
  const { unknown } = filter
  if (unknown.length === 0) return null
  return (
    <Alert tone="warning">
      {unknown.join(', ')} {unknown.length === 1 ? 'is not a filter' : 'are not filters'}. Write filters such
      as <code>label:bug</code> or <code>{example}</code>.
    </Alert>
  )
}
