import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { useSearch } from '../frame/location.js'
import { ReadRows } from '../frame/problem.js'
import { Button } from '../kit/button.js'
import { formatCount } from '../kit/bytes.js'
import { Empty } from '../kit/empty.js'
import { Select } from '../kit/field.js'
import { Panel } from '../kit/panel.js'
import { Tabs } from '../kit/tabs.js'
import { toggled } from '../kit/toggled.js'
import { Tools } from '../kit/tools.js'
import { FilterField } from './filter-field.js'
import { filterParameters, type FilterTable, queryText } from './filter-words.js'
import styles from './planned-list.module.css'
import { useCurrentRow } from './use-current-row.js'
import { UnknownWords, useFilter } from './use-filter.js'
import { type ListNews, useListNews } from './use-list-news.js'

interface Order {
  label: string
  order_by: string
  sort: 'asc' | 'desc'
}

/** A kind of planned records, such as issues. */
export interface PlannedKind {
  /** The list in the API, below its project or group, such as `issues`. */
  path: 'issues' | 'merge_requests'
  /** Words for one and for several: `issue`, `issues`. */
  one: string
  several: string
  icon: IconNode
  filter: FilterTable
  /** States, the first one by default, with the labels of their tabs. */
  states: readonly (readonly [state: string, label: string])[]
  /** Orders by their names in addresses, the first one by default. */
  orders: Readonly<Record<string, Order>>
  /** An example of a filter. */
  example: string
}

/** Orders of which the API gives the next page without counting rows. */
const KEYSET: ReadonlySet<string> = new Set(['created_at', 'updated_at'])

interface PlannedRecord {
  id: number
  iid: number
  state: string
  web_url: string
}

/** What a row needs to know beside its record. */
export interface PlannedRow {
  /** The keys `j` and `k` have led here. */
  isCurrent: boolean
  isChosen: boolean
  /** Selects the record; without it, there is no box. */
  onChoose: (() => void) | undefined
  /** The list of the records with a label. */
  hrefOfLabel: (name: string) => string
}

interface PlannedListProps<Row> {
  kind: PlannedKind
  /** Path of the project or group in the API; null for records of the user. */
  base: string | null
  /** Parameters of the API that hold in any case. */
  fixed?: readonly [string, string][]
  /** The numbers of records in each state with these parameters, as far as they are known. */
  useCounts: (query: readonly [string, string][]) => PlannedCounts
  /** In place of the rows when nothing was ever there. */
  empty: ComponentChildren
  /** Above the rows while some of them are selected; without it, none is. */
  chosenBar?: (chosen: Row[], clear: () => void, reload: () => void) => ComponentChildren
  render: (record: Row, row: PlannedRow) => ComponentChildren
}

export interface PlannedCounts {
  counts: Readonly<Partial<Record<string, number>>> | undefined
  refetch: () => unknown
}

/** Planned records, found by the filter of the address. */
export function PlannedList<Row extends PlannedRecord>(props: PlannedListProps<Row>) {
  const { kind, base, fixed = [], useCounts, empty, chosenBar, render } = props
  const [search, setSearch] = useSearch()
  const { text, filter, setFilter } = useFilter(kind.filter)
  const firstState = kind.states[0]?.[0] ?? ''
  const state = filter.state ?? stateIn(kind, search) ?? firstState
  const { orderName, order, defaultOrder } = orderIn(kind, search)
  const query = [...fixed, ...filter.query]
  const { counts, refetch } = useCounts(query)
  const path = `${base ?? ''}/${kind.path}?${queryText(listQuery(query, state, order))}`
  const list = useReadList<Row>(path, { keepsPrevious: true })
  const news = useListNews<Row>({ kind: kind.path, base, fixed, path, list, onCounts: () => void refetch() })
  const { rows, result } = list
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => setChosen(new Set()), [text, state, base])
  const current = useCurrentRow(rows, (record) => record.web_url)
  const reload = () => {
    void result.refetch()
    void refetch()
  }
  const parameters = filterParameters(kind.filter)
  const hrefOfLabel = (name: string) =>
    addressWith(search, {
      ...Object.fromEntries(parameters.map((each) => [each, undefined])),
      'label_name[]': name,
    })
  return (
    <>
      <Tabs
        label={capitalized(kind.several)}
        tabs={kind.states.map(([value, label]) => ({
          label,
          href: addressWith(search, { state: value === firstState ? undefined : value }),
          isCurrent: state === value,
          count: countOf(counts?.[value] ?? (state === value ? list.total : undefined)),
        }))}
      />
      <Tools class={styles['tools']}>
        <FilterField
          label={`Filter ${kind.several}`}
          table={kind.filter}
          base={base}
          value={text}
          onChange={setFilter}
        />
        <Select
          label="Order"
          hidesLabel
          class={styles['order']}
          value={orderName}
          onInput={(value) => setSearch({ sort: value === defaultOrder ? undefined : value })}
          choices={Object.entries(kind.orders).map(([value, { label }]) => ({ value, label }))}
        />
      </Tools>
      <UnknownWords filter={filter} example={kind.example} />
      {chosen.size > 0 &&
        chosenBar?.(
          rows.filter(({ id }) => chosen.has(id)),
          () => setChosen(new Set()),
          reload,
        )}
      <NewRows of={kind} news={news} />
      <Panel isFlush>
        <ReadRows
          of={list}
          outline={8}
          empty={
            text !== '' ? (
              <Empty
                icon={kind.icon}
                title={`No ${kind.one} matches.`}
                action={<Button onClick={() => setFilter(undefined)}>Show all {kind.several}</Button>}
              />
            ) : state !== firstState || (counts?.['all'] ?? 0) > 0 ? (
              <Empty icon={kind.icon} title={`No ${kind.one} is here.`} />
            ) : (
              empty
            )
          }
        >
          <ul class={styles['rows']} aria-label={capitalized(kind.several)}>
            {rows.map((record, index) =>
              render(record, {
                isCurrent: index === current,
                isChosen: chosen.has(record.id),
                onChoose: chosenBar && (() => setChosen(toggled(chosen, record.id))),
                hrefOfLabel,
              }),
            )}
          </ul>
        </ReadRows>
      </Panel>
      <LoadMore of={kind.several} next={list.next} />
    </>
  )
}

/** Says that the list has changed, and shows it when the reader wants it. */
function NewRows({ of, news: { unseen, gone, failed, show } }: { of: PlannedKind; news: ListNews }) {
  const counted = (count: number, word: string) =>
    count === 0 ? [] : [`${count} ${word} ${count === 1 ? of.one : of.several}`]
  const words = [...counted(unseen, 'new'), ...counted(gone.size, 'deleted')]
  return (
    <div class={styles['news']} role="status">
      {(words.length > 0 || failed) && (
        <Button size="small" onClick={show}>
          {words.length > 0 ? words.join(', ') : 'The list has changed'}: show
        </Button>
      )}
    </div>
  )
}

function listQuery(
  query: readonly [string, string][],
  state: string,
  { order_by, sort }: Order,
): (readonly [string, string])[] {
  return [
    ...query,
    ['state', state],
    ['with_labels_details', 'true'],
    ['order_by', order_by],
    ['sort', sort],
    ['per_page', '50'],
    ...(KEYSET.has(order_by) ? [['pagination', 'keyset'] as const] : []),
  ]
}

function stateIn({ states }: PlannedKind, search: URLSearchParams): string | undefined {
  const given = search.get('state')
  return states.find(([value]) => value === given)?.[0]
}

function orderIn({ orders }: PlannedKind, search: URLSearchParams) {
  const [defaultOrder = ''] = Object.keys(orders)
  const asked = search.get('sort') ?? ''
  const orderName = Object.hasOwn(orders, asked) ? asked : defaultOrder
  return { orderName, defaultOrder, order: orders[orderName] as Order }
}

function countOf(count: number | undefined): string | undefined {
  return count === undefined ? undefined : formatCount(count, false)
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
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
