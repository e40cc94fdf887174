import type { Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { lockPresentProject } from '../../../database/lock-row.js'
import { inTransaction } from '../../../database/transaction.js'
import { apiError, notFound } from '../../../http/errors.js'
import { changeProject } from '../store.js'
import { countEntries, deleteEntry, type Entry, insertEntry, lockIfVisible } from './store.js'

/**
 * Job token allowlist of a project: projects and groups (the reference's documentation, "CI/CD job token").
 */
const MAX_ENTRIES = 200

/** Sets whether job tokens of other projects are accepted only if the allowlist contains their project. */
export async function switchScope(database: Database, { id }: Project, enabled: boolean): Promise<void> {
  await changeProject(database, id, { job_token_scope_enabled: enabled })
}

/**
 * Adds a project, or all projects of a group, to the job token allowlist. Throws 404 if the user may not see
 * it, 409 if it is listed already, and 400 if the list is full.
 */
export async function allow(database: Database, entry: Entry, user: User): Promise<void> {
  const isProject = 'allowed_project_id' in entry
  await inTransaction(database, async (tx) => {
    // Lock the listed project or group first: groups and projects are locked before the rows of a project.
    if (!(await lockIfVisible(tx, entry, user))) throw notFound(isProject ? 'Project' : 'Group')
    // The lock serializes additions, so that the count is exact.
    if (!(await lockPresentProject(tx, entry.project_id))) throw notFound('Project')
    if (isItself(entry) || !(await insertEntry(tx, entry))) {
      throw apiError('job_token_entry_exists', { kind: isProject ? 'project' : 'group' })
    }
    if ((await countEntries(tx, entry.project_id)) > MAX_ENTRIES) throw listIsFull()
  })
}

/**
 * Removes an entry from the allowlist, effective from the next request. Throws 404 for a missing entry, and
 * 400 for the project itself.
 */
export async function disallow(database: Database, entry: Entry): Promise<void> {
  if (isItself(entry)) {
    throw apiError('job_token_entry_is_own')
  }
  if (!(await deleteEntry(database, entry))) throw notFound()
}

/** A project is on its own list without an entry. */
function isItself(entry: Entry): boolean {
  return 'allowed_project_id' in entry && entry.allowed_project_id === entry.project_id
}

function listIsFull(): Error {
  return apiError('job_token_allowlist_full', { max: MAX_ENTRIES })
}
