import type { ComponentChildren } from 'preact'

import type { ReadList } from '../../api/use-read.js'
import { useSearch } from '../../frame/location.js'
import { Problem } from '../../frame/problem.js'
import { Panel } from '../../kit/panel.js'
import { SearchField } from '../../kit/search-field.js'
import { Skeleton } from '../../kit/skeleton.js'
import styles from './ref-rows.module.css'

/** Finds branches or tags by name in the list below it. */
export function RefSearch({ label }: { label: string }) {
  const [search, setSearch] = useSearch()
  return (
    <div class={styles['tools']}>
      <SearchField
        label={label}
        placeholder={label}
        value={search.get('search') ?? ''}
        onSearch={(value) => setSearch({ search: value })}
      />
    </div>
  )
}

interface RefPanelProps {
  label: string
  list: Pick<ReadList<unknown>, 'rows' | 'result'>
  /** In place of a list without rows. */
  empty: ComponentChildren
  /** A list item for each branch or tag. */
  children: ComponentChildren
}

/** The branches or tags of a repository. What is shown stays when more of them could not be read. */
export function RefPanel({ label, list: { rows, result }, empty, children }: RefPanelProps) {
  return (
    <Panel isFlush>
      {result.error && !result.data ? (
        <Problem error={result.error} retry={() => void result.refetch()} />
      ) : !result.data ? (
        <Skeleton rows={8} />
      ) : rows.length === 0 ? (
        empty
      ) : (
        <ul class={styles['rows']} aria-label={label}>
          {children}
        </ul>
      )}
    </Panel>
  )
}
