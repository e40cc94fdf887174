import { GitPullRequestArrow } from 'lucide'
import type { ComponentChildren } from 'preact'

import { type PlannedCounts, type PlannedKind, PlannedList } from '../../planned/planned-list.js'
import type { ListedRequest } from './listed-request.js'
import { REQUEST_FILTER } from './request-filter.js'
import { RequestRow } from './request-row.js'

const REQUESTS: PlannedKind = {
  path: 'merge_requests',
  one: 'merge request',
  several: 'merge requests',
  icon: GitPullRequestArrow,
  filter: REQUEST_FILTER,
  states: [
    ['opened', 'Open'],
    ['merged', 'Merged'],
    ['closed', 'Closed'],
    ['all', 'All'],
  ],
  orders: {
    created_date: { label: 'Newest', order_by: 'created_at', sort: 'desc' },
    created_asc: { label: 'Oldest', order_by: 'created_at', sort: 'asc' },
    updated_desc: { label: 'Last changed', order_by: 'updated_at', sort: 'desc' },
    merged_at: { label: 'Last merged', order_by: 'merged_at', sort: 'desc' },
    priority: { label: 'Priority', order_by: 'priority', sort: 'asc' },
    milestone: { label: 'Milestone due', order_by: 'milestone_due', sort: 'asc' },
    popularity: { label: 'Popularity', order_by: 'popularity', sort: 'desc' },
    title_asc: { label: 'Title', order_by: 'title', sort: 'asc' },
  },
  example: 'reviewer:ada',
}

interface RequestListProps {
  /** Path of the project or group in the API; null for merge requests of the user. */
  base: string | null
  /** Parameters of the API that hold in any case. */
  fixed?: readonly [string, string][]
  /** The rows name their project. */
  showsProject: boolean
  /** In place of the rows when nothing was ever there. */
  empty: ComponentChildren
}

/** The API counts merge requests of one state alone, with their list. */
const useNoCounts = (): PlannedCounts => NO_COUNTS
const NO_COUNTS: PlannedCounts = { counts: undefined, refetch: () => undefined }

/** Merge requests, found by the filter of the address. */
export function RequestList({ showsProject, ...rest }: RequestListProps) {
  return (
    <PlannedList<ListedRequest>
      {...rest}
      kind={REQUESTS}
      useCounts={useNoCounts}
      render={(request, row) => (
        <RequestRow key={request.id} request={request} showsProject={showsProject} {...row} />
      )}
    />
  )
}
