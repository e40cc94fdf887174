import { GitError } from '../../../git/errors.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { withApiSlot } from '../../hosting/repositories/api-slot.js'
import { CommitNotFoundError } from '../../hosting/repositories/errors.js'
import { countCommits } from '../../hosting/repositories/push/pushed-commits.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import type { Event } from './schema.js'
import { type ActivityRow, saveCommitFacts } from './store.js'

export interface EventDeps {
  database: Database
  repositories: Pick<Repositories, 'path' | 'acquireSlot' | 'readCommit' | 'resolveRef'>
  externalUrl: string
}

/** The events of a page as clients see them (API, G8). `signal` aborts when nobody waits for them. */
export async function describeEvents(
  deps: EventDeps,
  rows: ActivityRow[],
  signal: AbortSignal,
): Promise<Event[]> {
  const authors = await authorsOf(deps.database, rows)
  const events: Event[] = []
  for (const row of rows) {
    const author = authors.get(row.author_id)
    // The row of somebody who has been removed just now goes along.
    if (author) events.push(present(deps, await withCommitFacts(deps, row, signal), author))
  }
  return events
}

async function authorsOf(database: Database, rows: ActivityRow[]): Promise<Map<number, User>> {
  const ids = [...new Set(rows.map(({ author_id }) => author_id))]
  if (ids.length === 0) return new Map()
  const users = await database.selectFrom('user').selectAll().where('id', 'in', ids).execute()
  return new Map(users.map((user) => [user.id, user]))
}

/** Counts the commits of a push when somebody asks for the first time: most pushes nobody ever asks about. */
async function withCommitFacts(deps: EventDeps, row: ActivityRow, signal: AbortSignal): Promise<ActivityRow> {
  const { ref_kind, commit_to, commit_count } = row
  if (ref_kind !== 'branch' || commit_to === null || commit_count !== null) return row
  try {
    const { title: commit_title } = await deps.repositories.readCommit(row.project_id, commit_to)
    const range = { to: commit_to, known: await knownBefore(deps, row) }
    const slot = { projectId: row.project_id, pool: 'reading' as const, signal }
    const gitDir = deps.repositories.path(row.project_id)
    const commit_count = await withApiSlot(deps.repositories, slot, () => countCommits(gitDir, range))
    const facts = { commit_title, commit_count }
    await saveCommitFacts(deps.database, row.id, facts)
    return { ...row, ...facts }
  } catch (error) {
    // Commits that no ref leads to any more are removed some day.
    if (error instanceof GitError || error instanceof CommitNotFoundError) return row
    throw error
  }
}

/** Of a new branch those count that the default branch does not have. */
async function knownBefore({ database, repositories }: EventDeps, row: ActivityRow): Promise<string[]> {
  if (row.commit_from !== null) return [row.commit_from]
  const project = await database
    .selectFrom('project')
    .select('default_branch')
    .where('id', '=', row.project_id)
    .executeTakeFirst()
  const branch = project?.default_branch
  if (!branch || branch === row.ref) return []
  const head = await repositories.resolveRef(row.project_id, `refs/heads/${branch}`)
  return head ? [head.sha] : []
}

function present({ externalUrl }: EventDeps, row: ActivityRow, author: User): Event {
  return {
    id: row.id,
    project_id: row.project_id,
    action_name: actionName(row),
    target_id: null,
    target_iid: null,
    target_type: null,
    author_id: row.author_id,
    target_title: null,
    created_at: isoTime(row.created_at),
    author: presentUser(author, externalUrl),
    author_username: author.username,
    ...pushData(row),
  }
}

function actionName({ action, commit_from, commit_to }: ActivityRow): string {
  if (action === 'expired') return 'removed due to membership expiration from'
  if (action !== 'pushed') return action
  if (commit_to === null) return 'deleted'
  return commit_from === null ? 'pushed new' : 'pushed to'
}

function pushData(row: ActivityRow): Pick<Event, 'push_data'> {
  const { ref_kind, ref, commit_from, commit_to, commit_title } = row
  if (ref_kind === null) return {}
  const change = commit_from === null ? 'created' : 'pushed'
  return {
    push_data: {
      commit_count: row.commit_count ?? 0,
      action: commit_to === null ? 'removed' : change,
      ref_type: ref_kind,
      ...{ commit_from, commit_to, ref, commit_title },
      ref_count: null,
    },
  }
}
