import { projectApi } from '../../../../addresses/first-reads.js'
import { useRead } from '../../../api/use-read.js'
import { FilterInput } from '../../../planned/filter-input.js'
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
export function FilterField({ project, ...field }: FilterFieldProps) {
  const useChoices = (text: string | undefined) => {
    const path = `${projectApi(project)}/repository/branches?per_page=100`
    const { data = [] } = useRead<{ name: string }[]>(
      text !== undefined && /ref:\S*$/.test(text) ? path : undefined,
      { staleTime: 60_000 },
    )
    const ref = data.map(({ name }) => name)
    return text === undefined ? [] : completionsOf(text, { status: FILTER_STATUSES, source: SOURCES, ref })
  }
  return (
    <FilterInput
      {...field}
      label="Filter pipelines"
      placeholder="Words, or ref:main status:failed by:root after:2026-11-01"
      useChoices={useChoices}
      isKnown={(text) => readFilter(text).unknown.length === 0}
    />
  )
}
