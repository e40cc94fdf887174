import { type Query, queryOf } from '../../../../addresses/address-of.js'

export interface ProjectFilter {
  value: string
  label: string
  query: Query
  /** What is said when there is no such project. */
  empty: string
}

const ALL: ProjectFilter = { value: '', label: 'All', query: {}, empty: 'There is no project yet.' }

export const FILTERS: readonly ProjectFilter[] = [
  ALL,
  { value: 'archived', label: 'Archived', query: { archived: true }, empty: 'No project is archived.' },
  {
    value: 'marked',
    label: 'Marked for deletion',
    query: { marked_for_deletion: true },
    empty: 'No project is marked for deletion.',
  },
]

export function filterNamed(name: string | null): ProjectFilter {
  return FILTERS.find(({ value }) => value === name) ?? ALL
}

export const ORDERS = [
  { value: '', label: 'Last activity', order_by: 'last_activity_at', sort: 'desc' },
  { value: 'created', label: 'Newest', order_by: 'created_at', sort: 'desc' },
  { value: 'oldest', label: 'Oldest', order_by: 'created_at', sort: 'asc' },
  { value: 'size', label: 'Largest', order_by: 'storage_size', sort: 'desc' },
  { value: 'name', label: 'Name', order_by: 'name', sort: 'asc' },
] as const

/** Orders in which the API reads pages by the last row of the one before. */
const BY_KEYSET: readonly string[] = ['created_at', 'name']

/** The path of the list in the API. */
export function projectsPath({
  filter,
  search,
  order,
}: {
  filter: ProjectFilter
  search: string
  order: string
}): string {
  const { order_by, sort } = ORDERS.find(({ value }) => value === order) ?? ORDERS[0]
  return `/projects${queryOf({
    ...filter.query,
    statistics: true,
    per_page: 50,
    search: search || undefined,
    search_namespaces: search.includes('/') || undefined,
    order_by,
    sort,
    pagination: BY_KEYSET.includes(order_by) ? 'keyset' : undefined,
  })}`
}
