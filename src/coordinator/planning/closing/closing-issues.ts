import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import { isMemberOfProject } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { sameText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'
import { fromEachProject, readableProjects } from '../access/visible-issues.js'
import { closed, issueSnapshot, recordIssueChange } from '../issue-changes.js'
import { closingReferences, type IssueReference } from '../references/closing.js'
import { findReferences } from '../references/find-references.js'
import { projectPathOf } from '../references/project-path.js'
import { ReferenceBudget } from '../references/reference-budget.js'
import { lockIssue, updateIssueRow } from '../stores/issue-store.js'

/** Limits on what one push or merge request closes. */
const MAX_ISSUES = 1000
const MAX_PROJECTS = 50

/** The project of texts that close issues, and who closes them. */
export interface Closer {
  project: Pick<Project, 'full_path' | 'forked_from_id'>
  user: User
}

interface ClosingDeps {
  database: Database
  /** Public address without a trailing slash. */
  externalUrl: string
}

/**
 * IDs of the open issues that the texts close, in their order (API, A16): those that the user may close, or `seen`: those
 * that they see, in projects that allow it. A fork closes none of the project that it was forked from.
 */
export async function issuesClosedBy(
  { database, externalUrl }: ClosingDeps,
  closer: Closer,
  texts: readonly string[],
  right: 'closable' | 'seen' = 'closable',
): Promise<number[]> {
  const references = texts.flatMap((text) => closingReferences(text, { externalUrl }))
  return resolved(references, closer, (path, iids) => closable(database, closer, path, iids, right))
}

/** IDs of the issues that the texts name and the user sees. */
export async function issuesMentionedBy(
  { database, externalUrl }: ClosingDeps,
  closer: Closer,
  texts: readonly string[],
): Promise<number[]> {
  const wanted = new ReferenceBudget(['issue'], MAX_ISSUES)
  const references = texts.flatMap((text) => findReferences(text, { externalUrl, wanted }))
  return resolved(references, closer, async (path, iids) => {
    const projects = readableProjects(database, ALL(closer.user)).where(({ ref }) =>
      sameText(ref('project.full_path'), path),
    )
    const rows = await fromEachProject(projects, closer.user)
      .select('issue.id')
      .where('issue.iid', 'in', iids)
      .execute()
    return rows.map(({ id }) => id)
  })
}

const ALL = (viewer: User) => ({ groupId: undefined, viewer, non_archived: true })

/** Looks references up project by project. */
async function resolved(
  references: readonly IssueReference[],
  closer: Closer,
  lookUp: (path: string, iids: number[]) => Promise<number[]>,
): Promise<number[]> {
  const wanted = new Map<string, Set<number>>()
  for (const reference of references.slice(0, MAX_ISSUES)) {
    const path = projectPathOf(reference, closer.project.full_path) ?? ''
    wanted.set(path, (wanted.get(path) ?? new Set()).add(reference.iid))
  }
  const ids: number[] = []
  for (const [path, iids] of [...wanted].slice(0, MAX_PROJECTS)) {
    ids.push(...(await lookUp(path, [...iids])))
  }
  return [...new Set(ids)].toSorted((one, other) => one - other)
}

async function closable(
  database: Database,
  { project, user }: Closer,
  path: string,
  iids: number[],
  right: 'closable' | 'seen',
): Promise<number[]> {
  const projects = readableProjects(database, ALL(user))
    .where(({ ref }) => sameText(ref('project.full_path'), path))
    .where('project.autoclose_referenced_issues', '=', true)
    .where('project.id', '<>', project.forked_from_id ?? 0)
  const rows = await fromEachProject(projects, user)
    .select('issue.id')
    .where('issue.iid', 'in', iids)
    .where('issue.state', '=', 'opened')
    .$if(right === 'closable', (query) => query.where(() => mayClose(user)))
    .execute()
  return rows.map(({ id }) => id)
}

/** Condition on the tables `issue` and `project`. */
function mayClose(user: User): RawBuilder<SqlBool> {
  if (user.is_admin) return sql<SqlBool>`true`
  return sql<SqlBool>`(issue.author_id = ${user.id} or ${isMemberOfProject(user, ACCESS_LEVELS.reporter)})`
}

/** Closes those of the issues that the user sees and may close. */
export async function closeAllowed(tx: Transaction, user: User, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await fromEachProject(readableProjects(tx, ALL(user)), user)
    .select('issue.id')
    .where('issue.id', 'in', ids)
    .where(() => mayClose(user))
    .execute()
  await closeIssues(
    tx,
    user,
    rows.map(({ id }) => id),
  )
}

/** Closes the issues that are still open, in one order, so that two transactions do not wait for each other. */
export async function closeIssues(tx: Transaction, user: User, ids: readonly number[]): Promise<void> {
  for (const id of ids.toSorted((one, other) => one - other)) {
    const row = await lockIssue(tx, id)
    if (row?.state !== 'opened') continue
    const was = await issueSnapshot(tx, row)
    const changes = { ...closed(user), updated_by_id: user.id, updated_at: Date.now() }
    const after = await updateIssueRow(tx, row, changes)
    await recordIssueChange(tx, user, was, await issueSnapshot(tx, after))
  }
}
