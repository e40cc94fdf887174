import { CircleDot } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import type { ListedIssue } from '../../../coordinator/planning/issues/record-schema.js'
import { useRead, useReadList } from '../../api/use-read.js'
import { navigate, useSearch } from '../../frame/location.js'
import { ReadRows } from '../../frame/problem.js'
import { Alert } from '../../kit/alert.js'
import { Button } from '../../kit/button.js'
import { formatCount } from '../../kit/bytes.js'
import { Empty } from '../../kit/empty.js'
import { Select } from '../../kit/field.js'
import { useKeys } from '../../kit/keys.js'
import { LoadMore } from '../../kit/load-more.js'
import { Panel } from '../../kit/panel.js'
import { Tabs } from '../../kit/tabs.js'
import { toggled } from '../../kit/toggled.js'
import { Tools } from '../../kit/tools.js'
import { FilterField } from './filter-field.js'
import { FILTER_PARAMETERS, filterIn, queryText, readFilter } from './filter-words.js'
import styles from './issue-list.module.css'
import { IssueRow } from './issue-row.js'

const STATES = [
  ['opened', 'Open'],
  ['closed', 'Closed'],
  ['all', 'All'],
] as const

/** Orders by their names in addresses, and the parameters of the API. */
const ORDERS: Readonly<Record<string, { label: string; order_by: string; sort: 'asc' | 'desc' }>> = {
  created_date: { label: 'Newest', order_by: 'created_at', sort: 'desc' },
  created_asc: { label: 'Oldest', order_by: 'created_at', sort: 'asc' },
  updated_desc: { label: 'Last changed', order_by: 'updated_at', sort: 'desc' },
  priority: { label: 'Priority', order_by: 'priority', sort: 'asc' },
  due_date: { label: 'Due date', order_by: 'due_date', sort: 'asc' },
  milestone: { label: 'Milestone due', order_by: 'milestone_due', sort: 'asc' },
  weight: { label: 'Weight', order_by: 'weight', sort: 'desc' },
  popularity: { label: 'Popularity', order_by: 'popularity', sort: 'desc' },
  title_asc: { label: 'Title', order_by: 'title', sort: 'asc' },
}
const DEFAULT_ORDER = 'created_date'
/** Orders of which the API gives the next page without counting rows. */
const KEYSET: ReadonlySet<string> = new Set(['created_at', 'updated_at'])

interface Statistics {
  statistics: { counts: Record<'all' | 'closed' | 'opened', number> }
}

interface IssueListProps {
  /** Path of the project or group in the API; null for issues of the user. */
  base: string | null
  /** Parameters of the API that hold in any case. */
  fixed?: readonly [string, string][]
  /** The rows name their project. */
  showsProject: boolean
  /** In place of the rows when nothing was ever there. */
  empty: ComponentChildren
  /** Above the rows while some of them are selected; without it, none is. */
  chosenBar?: (chosen: ListedIssue[], clear: () => void, reload: () => void) => ComponentChildren
}

/** Issues, found by the filter of the address. */
export function IssueList({ base, fixed = [], showsProject, empty, chosenBar }: IssueListProps) {
  const [search, setSearch] = useSearch()
  const text = filterIn(search)
  const filter = readFilter(text)
  const state = filter.state ?? stateIn(search)
  const orderName = Object.hasOwn(ORDERS, search.get('sort') ?? '')
    ? (search.get('sort') ?? '')
    : DEFAULT_ORDER
  const order = ORDERS[orderName] ?? { order_by: 'created_at', sort: 'desc' }
  const path = `${base ?? ''}/issues`
  const query = [...fixed, ...filter.query]
  const counts = useRead<Statistics>(`${path}_statistics?${queryText(query)}`, { keepsPrevious: true })
  const list = useReadList<ListedIssue>(
    `${path}?${queryText([
      ...query,
      ['state', state],
      ['with_labels_details', 'true'],
      ['order_by', order.order_by],
      ['sort', order.sort],
      ['per_page', '50'],
      ...(KEYSET.has(order.order_by) ? [['pagination', 'keyset'] as const] : []),
    ])}`,
    { keepsPrevious: true },
  )
  const { rows, result } = list
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [current, setCurrent] = useState<number>()
  useEffect(() => setChosen(new Set()), [text, state, base])
  const reload = () => {
    void result.refetch()
    void counts.refetch()
  }
  const move = (step: number) =>
    setCurrent(Math.max(0, Math.min(rows.length - 1, (current ?? (step > 0 ? -1 : rows.length)) + step)))
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const row = current === undefined ? undefined : rows[current]
      if (row) navigate(row.web_url)
    },
  })
  const setFilter = (next: string | undefined) =>
    setSearch(
      Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, name === 'filter' ? next : undefined])),
    )
  const all = counts.data?.statistics.counts
  const isFiltered = text !== ''
  return (
    <>
      <Tabs
        label="Issues"
        tabs={STATES.map(([value, label]) => ({
          label,
          href: addressWith(search, { state: value === 'opened' ? undefined : value }),
          isCurrent: state === value,
          count: all && formatCount(all[value], false),
        }))}
      />
      <Tools class={styles['tools']}>
        <FilterField base={base} value={text} onChange={setFilter} />
        <Select
          label="Order"
          hidesLabel
          class={styles['order']}
          value={orderName}
          onInput={(value) => setSearch({ sort: value === DEFAULT_ORDER ? undefined : value })}
          choices={Object.entries(ORDERS).map(([value, { label }]) => ({ value, label }))}
        />
      </Tools>
      {filter.unknown.length > 0 && (
        <Alert tone="warning">
          {filter.unknown.join(', ')} {filter.unknown.length === 1 ? 'is not a filter' : 'are not filters'}.
          Write filters such as <code>label:bug</code> or <code>due:overdue</code>.
        </Alert>
      )}
      {chosen.size > 0 &&
        chosenBar?.(
          rows.filter(({ id }) => chosen.has(id)),
          () => setChosen(new Set()),
          reload,
        )}
      <Panel isFlush>
        <ReadRows
          of={list}
          outline={8}
          empty={
            isFiltered ? (
              <Empty
                icon={CircleDot}
                title="No issue matches."
                action={<Button onClick={() => setFilter(undefined)}>Show all issues</Button>}
              />
            ) : all && all.all > 0 ? (
              <Empty icon={CircleDot} title={`No issue is ${state === 'closed' ? 'closed' : 'open'}.`} />
            ) : (
              empty
            )
          }
        >
          <ul class={styles['rows']} aria-label="Issues">
            {rows.map((issue, index) => (
              <IssueRow
                key={issue.id}
                issue={issue}
                showsProject={showsProject}
                isCurrent={index === current}
                isChosen={chosen.has(issue.id)}
                onChoose={chosenBar && (() => setChosen(toggled(chosen, issue.id)))}
                hrefOfLabel={(name) =>
                  addressWith(search, {
                    ...Object.fromEntries(FILTER_PARAMETERS.map((each) => [each, undefined])),
                    'label_name[]': name,
                  })
                }
              />
            ))}
          </ul>
        </ReadRows>
      </Panel>
      {list.hasMore && <LoadMore of="issues" isBusy={result.isFetchingNextPage} onMore={list.more} />}
    </>
  )
}

function stateIn(search: URLSearchParams): string {
  const given = search.get('state') ?? ''
  return STATES.some(([value]) => value === given) ? given : 'opened'
}

/** The address of this page with other values. */
function addressWith(search: URLSearchParams, changes: Record<string, string | undefined>): string {
  const params = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) params.delete(name)
    else params.set(name, value)
  }
  const query = params.toString()
  return location.pathname + (query && `?${query}`)
}
