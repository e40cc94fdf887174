import { LEVELS } from '../access/access-levels.js'
import type { Project, User } from '../access/caller.js'
import { isMemberOfProject } from '../access/visibility.js'
import type { Database } from '../database/connect.js'
import { sameText } from '../database/text.js'
import type { Transaction } from '../database/transaction.js'
import { lockIssue, updateIssueRow } from '../hosting/issue-store.js'
import { closed, issueSnapshot, recordIssueChange } from './issue-changes.js'
import { closingReferences } from './references/closing.js'
import { projectPathOf } from './references/project-path.js'
import { fromEachProject, readableProjects } from './visible-issues.js'

/** Limits on what one push or merge request closes. */
const MOST_ISSUES = 1000
const MOST_PROJECTS = 50

/** The project of texts that close issues, and who closes them. */
export interface Closer {
  project: Pick<Project, 'full_path' | 'forked_from_id'>
  user: User
}

/**
 * IDs of the open issues that the texts close, in their order (API, A16): those that the user may close, in projects
 * that allow it. A fork closes none of the project that it was forked from.
 */
export async function issuesClosedBy(
  { database, externalUrl }: { database: Database; externalUrl: string },
  closer: Closer,
  texts: readonly string[],
): Promise<number[]> {
  const wanted = new Map<string, Set<number>>()
  const references = texts.flatMap((text) => closingReferences(text, { externalUrl })).slice(0, MOST_ISSUES)
  for (const reference of references) {
    const path = projectPathOf(reference, closer.project.full_path) ?? ''
    wanted.set(path, (wanted.get(path) ?? new Set()).add(reference.iid))
  }
  const ids: number[] = []
  for (const [path, iids] of [...wanted].slice(0, MOST_PROJECTS)) {
    ids.push(...(await closable(database, closer, path, [...iids])))
  }
  return [...new Set(ids)].toSorted((one, other) => one - other)
}

async function closable(
  database: Database,
  { project, user }: Closer,
  path: string,
  iids: number[],
): Promise<number[]> {
  const projects = readableProjects(database, { groupId: undefined, viewer: user, non_archived: true })
    .where(({ ref }) => sameText(ref('project.full_path'), path))
    .where('project.autoclose_referenced_issues', '=', true)
    .where('project.id', '<>', project.forked_from_id ?? 0)
  const rows = await fromEachProject(projects, user)
    .select('issue.id')
    .where('issue.iid', 'in', iids)
    .where('issue.state', '=', 'opened')
    .$if(!user.is_admin, (query) =>
      query.where(({ or, eb }) =>
        or([eb('issue.author_id', '=', user.id), isMemberOfProject(user.id, LEVELS.reporter)]),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
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
