import type { Updateable } from 'kysely'

import type { Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { lockPresentProject } from '../../../database/lock-row.js'
import type { ProjectTable } from '../../../database/tables/projects.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { apiError, notFound } from '../../../http/errors.js'
import { emitProjectEvents } from '../../../integrations/webhooks/outbox/emit-system-events.js'
import { lockMoves, lockPlace } from '../../paths/lock-path.js'
import { existingProject, moveProject, type Namespace, takenNames } from '../store.js'

// Projects that can be restored for some days after their deletion (API, C1 and C2):
//
//     in use ── DELETE ──▶ marked: read-only, under another name and path ── retention ends ──▶ deleted
//       ▲                     │                                                  ▲
//       └────── restore ──────┴────────────── permanently_remove ────────────────┘
//
// When the retention ends and the user who has marked it may not delete it any more, it is restored.

/** Maximum length of a path, in characters. */
const LONGEST = 255

/**
 * Marks a project for deletion: it is read-only (`whyReadOnly`) until it is restored or the retention period
 * ends; it is deleted then if the user still may. Its name and path become free at once. Throws 400 if it is already
 * marked, and 404 if its deletion has begun.
 */
export function markForDeletion(
  database: Database,
  { id }: Project,
  user: Pick<User, 'id'>,
): Promise<Project> {
  return rename(database, id, 'marked for deletion', (project) => {
    if (project.marked_for_deletion_at !== null) {
      throw apiError('project_already_marked')
    }
    return {
      name: scheduled(project.name, id),
      path: scheduled(project.path, id),
      name_when_restored: project.name,
      path_when_restored: project.path,
      marked_for_deletion_at: Date.now(),
      marked_for_deletion_by_id: user.id,
    }
  })
}

/**
 * Restores a marked project with its former name and path. Throws 400 if it is not marked, and 409 if its
 * former name or path is taken; it then stays marked. Throws 404 if its deletion has begun.
 */
export function restoreProject(database: Database, { id }: Pick<Project, 'id'>): Promise<Project> {
  return rename(database, id, 'restored', (project) => {
    const { name_when_restored: name, path_when_restored: path } = project
    if (project.marked_for_deletion_at === null || name === null || path === null) {
      throw apiError('project_not_marked')
    }
    return {
      name,
      path,
      name_when_restored: null,
      path_when_restored: null,
      marked_for_deletion_at: null,
      marked_for_deletion_by_id: null,
    }
  })
}

type Renaming = Updateable<ProjectTable> & { name: string; path: string }

/** `changesTo` is called with the locked project, and may throw. */
async function rename(
  database: Database,
  id: number,
  outcome: string,
  changesTo: (project: Project) => Renaming,
): Promise<Project> {
  return inTransaction(database, async (tx) => {
    await lockMoves(tx)
    const { namespace_id } = await existingProject(tx, id)
    const namespace = await lockPlace(tx, namespace_id)
    const project = await lockPresentProject(tx, id)
    if (!project) throw notFound('Project')
    const changes = changesTo(project)
    await refuseTaken(tx, namespace, { ...changes, except: id }, outcome)
    const full_path = `${namespace.full_path}/${changes.path}`
    const renamed = await moveProject(tx, id, { ...changes, full_path })
    await emitProjectEvents(tx, { name: 'project_rename', redirect: project.full_path }, renamed)
    return renamed
  })
}

async function refuseTaken(
  tx: Transaction,
  namespace: Namespace,
  names: { name: string; path: string; except: number },
  outcome: string,
): Promise<void> {
  const taken = await takenNames(tx, namespace.id, names)
  const conflicts = [
    ...(taken.path ? [`the path ${namespace.full_path}/${names.path}`] : []),
    ...(taken.name ? [`the name "${names.name}" in ${namespace.full_path}`] : []),
  ]
  if (conflicts.length === 0) return
  throw apiError('project_name_taken', { outcome, names: conflicts.join(' and ') })
}

/** Name or path of a marked project, made unique by its ID. */
function scheduled(text: string, id: number): string {
  const suffix = `-deletion_scheduled-${id}`
  return text.slice(0, LONGEST - suffix.length) + suffix
}
