import { addressOf } from '../../addresses/address-of.js'
import { useSearch } from '../frame/location.js'
import { SearchField } from '../kit/search-field.js'
import type { Column } from '../kit/table.js'
import { Duration } from '../kit/time.js'
import styles from './job-list.module.css'

/** Finds jobs by name in the list below it. */
export function JobSearch() {
  const [search, setSearch] = useSearch()
  return (
    <SearchField
      label="Find jobs by name"
      placeholder="Part of the name"
      value={search.get('name') ?? ''}
      onSearch={(text) => setSearch({ name: text.trim() })}
      class={styles['search']}
    />
  )
}

/** The name of a job, as a link, and its number. */
export function JobName({
  project,
  job: { id, name },
}: {
  project: string
  job: { id: number; name: string }
}) {
  return (
    <>
      <a class={styles['name']} href={addressOf('jobs/job', { project, id: String(id) })}>
        {name}
      </a>{' '}
      <span class={styles['number']}>#{id}</span>
    </>
  )
}

interface TimedJob {
  started_at: string | null
  finished_at: string | null
  duration: number | null
}

/** How long jobs took, or have run. */
export const DURATION_COLUMN: Column<TimedJob> = {
  title: 'Duration',
  isNumber: true,
  cell: ({ started_at: from, finished_at: to, duration }) =>
    from === null ? '–' : <Duration {...(to === null ? { from } : { seconds: duration ?? 0 })} />,
}
