import { type Query, queryOf } from '../../addresses/address-of.js'

/** Orders of a list of projects, by their names in addresses. */
const ORDERS = {
  activity: { label: 'Last activity', order_by: 'last_activity_at', sort: 'desc' },
  name: { label: 'Name', order_by: 'name', sort: 'asc' },
  created: { label: 'Newest', order_by: 'created_at', sort: 'desc' },
  stars: { label: 'Most stars', order_by: 'star_count', sort: 'desc' },
} as const

type ProjectOrder = keyof typeof ORDERS

export const ORDER_CHOICES = Object.entries(ORDERS).map(([value, { label }]) => ({ value, label }))

function orderNamed(name: string | null): ProjectOrder {
  return name !== null && name in ORDERS ? (name as ProjectOrder) : 'activity'
}

/** The filters of a list of projects, as they are in its address. */
export interface ProjectFilter {
  search: string
  order: ProjectOrder
  visibility: string
  language: string
  topic: string
  /** Only those that the user has starred. */
  isStarred: boolean
}

/** Reads the filters of a list from the query of its address. */
export function filterIn(query: URLSearchParams): ProjectFilter {
  return {
    search: query.get('name') ?? '',
    order: orderNamed(query.get('sort')),
    visibility: query.get('visibility') ?? '',
    language: query.get('language') ?? '',
    topic: query.get('topic') ?? '',
    isStarred: query.get('starred') === 'true',
  }
}

/** Whether the filter leaves something out. */
export function isFiltered({ search, visibility, language, topic, isStarred }: ProjectFilter): boolean {
  return isStarred || [search, visibility, language, topic].some((value) => value !== '')
}

/**
 * The path of a list of projects in the API.
 * @param list such as `/projects`
 * @param fixed what the page always asks for, such as `{membership: true}`
 */
export function projectsPath(list: string, fixed: Query, filter: ProjectFilter): string {
  const { order_by, sort } = ORDERS[filter.order]
  return (
    list +
    queryOf({
      ...fixed,
      search: filter.search || undefined,
      // A search finds `group/app` by the name of its group too.
      search_namespaces: filter.search.includes('/') || undefined,
      visibility: filter.visibility || undefined,
      with_programming_language: filter.language || undefined,
      topic: filter.topic || fixed['topic'],
      starred: filter.isStarred || undefined,
      order_by,
      sort,
      per_page: 20,
    })
  )
}
