import type { User } from '../../access/caller.js'
import { describeAttention } from '../../ci/pipelines/everywhere/describe.js'
import type { ProjectBrief } from '../../ci/pipelines/everywhere/schema.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { visiblePipelines } from '../merge-requests/listed-record.js'
import type { Attention, StuckMergeRequest } from './schema.js'
import { findOwnMergeRequests, findPendingTodos, findWantedReviews, SHOWN } from './store.js'

export type AttentionDeps = Parameters<typeof describeAttention>[0]

/** Reasons of to-do items that `reviews` and `merge_requests` show already. */
const SHOWN_ELSEWHERE = new Set(['review_requested', 'build_failed', 'unmergeable'])

/** What waits for the user. */
export async function readAttention(deps: AttentionDeps, viewer: User): Promise<Attention> {
  const { database, externalUrl } = deps
  const ofPipelines = await describeAttention(deps, viewer)
  const reviews = await findWantedReviews(database, viewer)
  const stuck = await stuckMergeRequests(deps, viewer)
  const listed = new Set([...reviews, ...stuck].map(({ id }) => id))
  const todos = (await findPendingTodos(database, viewer)).filter(
    ({ merge_request_id: id, action }) => id === null || !listed.has(id) || !SHOWN_ELSEWHERE.has(action),
  )
  const authors = await usersById(
    database,
    [...reviews, ...todos].map(({ author_id }) => author_id),
  )
  return {
    ...ofPipelines,
    reviews: reviews.map((row) => {
      const author = authors.get(row.author_id)
      return {
        ...presentPlanned(externalUrl, row, '!'),
        author: author ? presentUser(author, externalUrl) : null,
        requested_at: isoTime(row.requested_at),
      }
    }),
    merge_requests: stuck,
    todos: todos.slice(0, SHOWN).flatMap((row) => {
      const author = authors.get(row.author_id)
      if (!author) return []
      return {
        ...presentPlanned(externalUrl, row, row.merge_request_id === null ? '#' : '!'),
        action_name: row.action,
        target_type: row.merge_request_id === null ? ('Issue' as const) : ('MergeRequest' as const),
        author: presentUser(author, externalUrl),
        created_at: isoTime(row.created_at),
      }
    }),
  }
}

async function stuckMergeRequests(
  { database, externalUrl }: AttentionDeps,
  viewer: User,
): Promise<StuckMergeRequest[]> {
  const own = await findOwnMergeRequests(database, viewer)
  const pipelines = await visiblePipelines(
    database,
    { user: viewer },
    own.map(({ id }) => id),
  )
  return own
    .flatMap((row): StuckMergeRequest[] => {
      const record = presentPlanned(externalUrl, row, '!')
      if (row.merge_status === 'cannot_be_merged')
        return [{ ...record, reason: 'conflicts', pipeline_id: null }]
      const pipeline = pipelines.get(row.id)?.pipeline
      return pipeline?.status === 'failed'
        ? [{ ...record, reason: 'pipeline_failed', pipeline_id: pipeline.id }]
        : []
    })
    .slice(0, SHOWN)
}

interface PlannedRow {
  id: number
  iid: number
  title: string
  project_id: number
  project_name: string
  full_path: string
}

function presentPlanned(externalUrl: string, row: PlannedRow, sign: '#' | '!') {
  const { id, iid, title, project_id, project_name, full_path } = row
  const project: ProjectBrief = { id: project_id, name: project_name, path_with_namespace: full_path }
  const page = sign === '#' ? 'issues' : 'merge_requests'
  return {
    id,
    title,
    reference: `${full_path}${sign}${iid}`,
    web_url: `${externalUrl}/${full_path}/-/${page}/${iid}`,
    project,
  }
}
