import type { Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { lockRow } from '../../../database/lock-row.js'
import { inTransaction } from '../../../database/transaction.js'
import { badRequest, conflict, notFound } from '../../../http/errors.js'
import { changeProject } from '../store.js'
import { countEntries, deleteEntry, type Entry, insertEntry, keepVisible } from './store.js'

/** Projects and groups that one project lists (the reference's documentation, "CI/CD job token"). */
const MOST_ENTRIES = 200

/** Says whether jobs of other projects are let in only if those are listed. */
export async function switchScope(database: Database, { id }: Project, enabled: boolean): Promise<void> {
  await changeProject(database, id, { job_token_scope_enabled: enabled })
}

/**
 * Lets the jobs of a project, or of all projects in a group, in with their tokens. Throws 404 for one that the user may
 * not see, 409 for one that is let in already, and 400 where the list is full.
 */
export async function allow(database: Database, entry: Entry, user: User): Promise<void> {
  const isProject = 'allowed_project_id' in entry
  await inTransaction(database, async (tx) => {
    // What is listed is kept before the list is locked: groups and projects are locked before what belongs to a project.
    if (!(await keepVisible(tx, entry, user))) throw notFound(isProject ? 'Project' : 'Group')
    // One after the other, for they are counted.
    if (!(await lockRow(tx, 'project', entry.project_id))) throw notFound('Project')
    if (isItself(entry) || !(await insertEntry(tx, entry))) {
      throw conflict(`The ${isProject ? 'project' : 'group'} is already on the job token allowlist`)
    }
    if ((await countEntries(tx, entry.project_id)) > MOST_ENTRIES) throw listIsFull()
  })
}

/** Lets them in no more, from their next request on. Throws 404 for what is not listed, and 400 for the project itself. */
export async function disallow(database: Database, entry: Entry): Promise<void> {
  if (isItself(entry)) {
    throw badRequest(
      'A project always accepts its own job tokens: it cannot be removed from its job token allowlist',
    )
  }
  if (!(await deleteEntry(database, entry))) throw notFound()
}

/** A project is on its own list without an entry. */
function isItself(entry: Entry): boolean {
  return 'allowed_project_id' in entry && entry.allowed_project_id === entry.project_id
}

function listIsFull(): Error {
  return badRequest(
    `A job token allowlist is limited to ${MOST_ENTRIES} projects and groups: remove some, or add a group that contains them`,
  )
}
