import { Boxes, SearchX } from 'lucide'
import type { ComponentChildren } from 'preact'

import type { Query } from '../../addresses/address-of.js'
import { useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { useSearch } from '../frame/location.js'
import { Problem } from '../frame/problem.js'
import { Button } from '../kit/button.js'
import { formatCount } from '../kit/bytes.js'
import { Empty } from '../kit/empty.js'
import { useEntryKeys } from '../kit/entry-keys.js'
import { Select } from '../kit/field.js'
import { SearchField } from '../kit/search-field.js'
import { Skeleton } from '../kit/skeleton.js'
import styles from './project-list.module.css'
import { filterIn, isFiltered, ORDER_CHOICES, projectsPath } from './project-query.js'
import { type ListedProject, ProjectRows } from './project-rows.js'

const VISIBILITIES = [
  { value: '', label: 'Any visibility' },
  { value: 'private', label: 'Private' },
  { value: 'internal', label: 'Internal' },
  { value: 'public', label: 'Public' },
]

const STARS = [
  { value: '', label: 'All projects' },
  { value: 'true', label: 'Starred' },
]

const MAX_COUNTED = 1000

interface ProjectListProps {
  label: string
  /** A list of the API, such as `/projects`; undefined while it is not known. */
  list: string | undefined
  /** What the page always asks for. */
  fixed?: Query
  hidesNamespace?: boolean
  /** In place of the list when there is no project at all. */
  empty?: ComponentChildren
  /** Filters by visibility are shown. */
  hasVisibility?: boolean
  /** A filter for starred projects is shown. */
  hasStarred?: boolean
  /** In place of the list while no filter is set: the list is read only for what a filter finds. */
  unfiltered?: ComponentChildren
}

/** A list of projects with its filters, which are part of the address. */
export function ProjectList({
  label,
  list,
  fixed = {},
  hidesNamespace = false,
  empty,
  hasVisibility = false,
  hasStarred = false,
  unfiltered,
}: ProjectListProps) {
  const [query, setQuery] = useSearch()
  const filter = filterIn(query)
  useEntryKeys()
  const isNarrowed = isFiltered(filter)
  const isRead = list !== undefined && (isNarrowed || unfiltered === undefined)
  const { rows, total, result, next } = useReadList<ListedProject>(
    isRead ? projectsPath(list, fixed, filter) : undefined,
    { keepsPrevious: true },
  )
  if (isRead && result.isSuccess && rows.length === 0 && !isNarrowed) {
    return <>{empty ?? <Empty icon={Boxes} title="There are no projects here." />}</>
  }
  return (
    <>
      <div class={styles['filters']}>
        <SearchField
          label="Filter by name"
          placeholder="Filter by name"
          value={filter.search}
          onSearch={(name) => setQuery({ name })}
          class={styles['search']}
        />
        {filter.topic !== '' && (
          <Button size="small" onClick={() => setQuery({ topic: undefined })}>
            Topic: {filter.topic} ✕
          </Button>
        )}
        {hasStarred && (
          <Select
            label="Which projects"
            hidesLabel
            value={filter.isStarred ? 'true' : ''}
            choices={STARS}
            onInput={(starred) => setQuery({ starred })}
          />
        )}
        {hasVisibility && (
          <Select
            label="Visibility"
            hidesLabel
            value={filter.visibility}
            choices={VISIBILITIES}
            onInput={(visibility) => setQuery({ visibility })}
          />
        )}
        <Select
          label="Order"
          hidesLabel
          value={filter.order}
          choices={ORDER_CHOICES}
          onInput={(sort) => setQuery({ sort: sort === 'activity' ? undefined : sort })}
        />
        {isRead && total !== undefined && (
          <span class={styles['total']} title="Number of projects">
            {formatCount(Math.min(total, MAX_COUNTED), total > MAX_COUNTED)}
          </span>
        )}
      </div>
      {!isRead && unfiltered !== undefined ? (
        unfiltered
      ) : result.error && rows.length === 0 ? (
        <div class={styles['problem']}>
          <Problem error={result.error} retry={() => void result.refetch()} />
        </div>
      ) : result.isSuccess && rows.length === 0 ? (
        <Empty
          icon={SearchX}
          title="No project matches the filters."
          action={
            <Button
              onClick={() =>
                setQuery({
                  name: undefined,
                  visibility: undefined,
                  language: undefined,
                  topic: undefined,
                  starred: undefined,
                })
              }
            >
              Clear filters
            </Button>
          }
        />
      ) : rows.length === 0 ? (
        <Skeleton />
      ) : (
        <ProjectRows label={label} projects={rows} hidesNamespace={hidesNamespace} />
      )}
      {isRead && <LoadMore of="projects" next={next} />}
    </>
  )
}
