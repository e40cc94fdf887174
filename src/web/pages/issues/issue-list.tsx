import { CircleDot } from 'lucide'
import type { ComponentChildren } from 'preact'

import type { ListedIssue } from '../../../coordinator/planning/issues/record-schema.js'
import { useRead } from '../../api/use-read.js'
import { queryText } from '../../planned/filter-words.js'
import { type PlannedCounts, type PlannedKind, PlannedList } from '../../planned/planned-list.js'
import { ISSUE_FILTER } from './issue-filter.js'
import { IssueRow } from './issue-row.js'

const ISSUES: PlannedKind = {
  path: 'issues',
  one: 'issue',
  several: 'issues',
  icon: CircleDot,
  filter: ISSUE_FILTER,
  states: [
    ['opened', 'Open'],
    ['closed', 'Closed'],
    ['all', 'All'],
  ],
  orders: {
    created_date: { label: 'Newest', order_by: 'created_at', sort: 'desc' },
    created_asc: { label: 'Oldest', order_by: 'created_at', sort: 'asc' },
    updated_desc: { label: 'Last changed', order_by: 'updated_at', sort: 'desc' },
    priority: { label: 'Priority', order_by: 'priority', sort: 'asc' },
    due_date: { label: 'Due date', order_by: 'due_date', sort: 'asc' },
    milestone: { label: 'Milestone due', order_by: 'milestone_due', sort: 'asc' },
    weight: { label: 'Weight', order_by: 'weight', sort: 'desc' },
    popularity: { label: 'Popularity', order_by: 'popularity', sort: 'desc' },
    title_asc: { label: 'Title', order_by: 'title', sort: 'asc' },
  },
  example: 'due:overdue',
}

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
export function IssueList({ showsProject, ...rest }: IssueListProps) {
  const useCounts = (query: readonly [string, string][]): PlannedCounts => {
    const path = `${rest.base ?? ''}/issues_statistics?${queryText(query)}`
    const { data, refetch } = useRead<Statistics>(path, { keepsPrevious: true })
    return { counts: data?.statistics.counts, refetch }
  }
  return (
    <PlannedList<ListedIssue>
      {...rest}
      kind={ISSUES}
      useCounts={useCounts}
      render={(issue, row) => <IssueRow key={issue.id} issue={issue} showsProject={showsProject} {...row} />}
    />
  )
}
