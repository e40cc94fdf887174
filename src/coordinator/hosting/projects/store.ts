import type { Insertable, Selectable, Updateable } from 'kysely'

import { OWNER } from '../../access/access-levels.js'
import type { Project } from '../../access/caller.js'
import { deleteQueueEntries } from '../../ci/queue/store.js'
import type { Database } from '../../database/connect.js'
import { lockPresentProject, lockRow } from '../../database/lock-row.js'
import { insertMembers } from '../../database/stores/member-store.js'
import {
  deleteProjectById,
  insertProjectRow,
  setProjectColumns,
  updateProject,
} from '../../database/stores/project-store.js'
import type { NamespaceTable, ProjectTable } from '../../database/tables/projects.js'
import { sameText } from '../../database/text.js'
import { inTransaction, storeOf, type Transaction } from '../../database/transaction.js'
import { notFound } from '../../http/errors.js'
import { emitMemberEvents } from '../../integrations/webhooks/outbox/emit-member-events.js'
import { emitProjectEvents } from '../../integrations/webhooks/outbox/emit-system-events.js'
import { lockPlace } from '../paths/lock-path.js'
import { addRedirectOfProject, deleteRedirect } from '../paths/redirects.js'
import { recordDeletedProject } from './deleted-projects.js'
import { lockListings } from './lock-listings.js'

export type Namespace = Selectable<NamespaceTable>

/** The personal namespace of a user. */
export function findPersonalNamespace(database: Database, userId: number): Promise<Namespace | undefined> {
  return database
    .selectFrom('namespace')
    .selectAll()
    .where('owner_id', '=', userId)
    .where('kind', '=', 'user')
    .executeTakeFirst()
}

export function findNamespace(database: Database, id: number): Promise<Namespace | undefined> {
  return database.selectFrom('namespace').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Which of name and path are taken in the namespace, by projects or child groups, case-insensitive. Inside a
 * transaction, the namespace is locked until its end.
 */
export async function takenNames(
  database: Database,
  namespaceId: number,
  { name, path, except }: { name: string; path: string; except?: number },
): Promise<{ name: boolean; path: boolean }> {
  await lockPlace(database, namespaceId)
  const group = await database
    .selectFrom('namespace')
    .select('id')
    .where('parent_id', '=', namespaceId)
    .where(({ ref }) => sameText(ref('path'), path))
    .executeTakeFirst()
  const rows = await database
    .selectFrom('project')
    .select(['id', 'name', 'path'])
    .where('namespace_id', '=', namespaceId)
    .where(({ or, ref }) => or([sameText(ref('name'), name), sameText(ref('path'), path)]))
    .execute()
  const others = rows.filter(({ id }) => id !== except)
  return {
    name: others.some((row) => row.name.toLowerCase() === name.toLowerCase()),
    path: group !== undefined || others.some((row) => row.path.toLowerCase() === path.toLowerCase()),
  }
}

export async function countProjects(database: Database, namespaceId: number): Promise<number> {
  const { count } = await database
    .selectFrom('project')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('namespace_id', '=', namespaceId)
    .executeTakeFirstOrThrow()
  return count
}

type InsertListener = (projectId: number) => Promise<void>

const insertListeners = new WeakMap<Database, InsertListener>()

/** Calls `listener` with the ID of each new project, in the transaction that inserts it. */
export function onProjectInserted(database: Database, listener: InsertListener): void {
  insertListeners.set(database, listener)
}

/**
 * Inserts a project with `ownerId` as its first member; projects of a group inherit the members of the group.
 */
export async function insertProject(
  tx: Transaction,
  values: Insertable<ProjectTable>,
  ownerId: number | undefined,
): Promise<Project> {
  const project = await insertProjectRow(tx, values)
  await insertListeners.get(storeOf(tx))?.(project.id)
  await deleteRedirect(tx, project.full_path)
  const memberships =
    ownerId === undefined
      ? []
      : await insertMembers(tx, [
          { project_id: project.id, user_id: ownerId, access_level: OWNER, created_at: project.created_at },
        ])
  await emitProjectEvents(tx, { name: 'project_create' }, project)
  await emitMemberEvents(tx, 'added', memberships)
  return project
}

/** Changes the full path of a project; the previous path redirects to it. */
export async function moveProject(
  tx: Transaction,
  id: number,
  changes: Updateable<ProjectTable> & { full_path: string },
): Promise<Project> {
  await addRedirectOfProject(tx, id)
  const moved = await updateProject(tx, id, changes)
  await deleteRedirect(tx, moved.full_path)
  return moved
}

/** Changes a project in a transaction of its own, and emits the system hook events. Throws 404 if it was deleted. */
export function changeProject(
  database: Database,
  id: number,
  changes: Updateable<ProjectTable>,
): Promise<Project> {
  return inTransaction(database, async (tx) => {
    if (!(await lockPresentProject(tx, id))) throw notFound('Project')
    const changed = await updateProject(tx, id, changes)
    await emitProjectEvents(tx, { name: 'project_update' }, changed)
    return changed
  })
}

export interface HideDeps {
  database: Database
  /** Called in the transaction that hides a project. */
  onHidden: (tx: Transaction, projectId: number) => Promise<void>
}

/**
 * Hides a project that is to be deleted, and frees its name and path. False if it was hidden or deleted before, or
 * `mayBeDeleted` returns false; `mayBeDeleted` is called with the locked project, and may throw.
 */
export async function hideProject(
  { database, onHidden }: HideDeps,
  id: number,
  mayBeDeleted: (project: Project, tx: Transaction) => boolean | Promise<boolean> = () => true,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    // The lock serializes concurrent deletions; later ones find it hidden.
    const project = await lockRow(tx, 'project', id)
    if (!project || project.deletion_started_at !== null) return false
    if (!(await mayBeDeleted(project, tx))) return false
    await emitProjectEvents(tx, { name: 'project_destroy' }, project)
    await onHidden(tx, id)
    const now = Date.now()
    // No request may name such a path.
    const name = `-deleted-${id}`
    await setProjectColumns(tx, id, {
      name,
      path: name,
      full_path: name,
      // No job starts in such a project.
      marked_for_deletion_at: project.marked_for_deletion_at ?? now,
      deletion_started_at: now,
    })
    return true
  })
}

/** Deletes the row of a project; its files follow (`deleteFilesOfDeletedProjects`). False if it was deleted before. */
export async function deleteProjectRow(database: Database, id: number): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    if (!(await lockRow(tx, 'project', id))) return false
    await deleteQueueEntries(tx, 'job.project_id', id)
    await lockListings(tx, id)
    await deleteProjectById(tx, id)
    await recordDeletedProject(tx, id)
    return true
  })
}

export function findProject(database: Database, id: number): Promise<Project | undefined> {
  return database.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The current row; throws 404 if the project was deleted in the meantime, or its deletion has begun. */
export async function existingProject(database: Database, id: number): Promise<Project> {
  const project = await findProject(database, id)
  if (project?.deletion_started_at !== null) throw notFound('Project')
  return project
}

/** Finds a namespace by ID or full path. */
export function findNamespaceBy(database: Database, idOrPath: string): Promise<Namespace | undefined> {
  const query = database.selectFrom('namespace').selectAll()
  return /^\d{1,15}$/.test(idOrPath)
    ? query.where('id', '=', Number(idOrPath)).executeTakeFirst()
    : query.where(({ ref }) => sameText(ref('full_path'), idOrPath)).executeTakeFirst()
}

/** Jobs of the project that runners have. */
export async function runningJobs(database: Database, projectId: number): Promise<number[]> {
  const rows = await database
    .selectFrom('lease')
    .select('job_id')
    .where('project_id', '=', projectId)
    .execute()
  return rows.map(({ job_id }) => job_id)
}
