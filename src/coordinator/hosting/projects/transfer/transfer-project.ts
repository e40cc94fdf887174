import type { Project, User } from '../../../access/caller.js'
import { allowInstanceRunners } from '../../../ci/queue/store.js'
import type { Database } from '../../../database/connect.js'
import { lockPresentProject } from '../../../database/lock-row.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { isUniqueViolation } from '../../../database/unique-violation.js'
import { type ApiError, apiError, notFound } from '../../../http/errors.js'
import { storeNotice } from '../../../integrations/mail/notice-store.js'
import { emitProjectEvents } from '../../../integrations/webhooks/outbox/emit-system-events.js'
import { lockMoves, lockPlace } from '../../paths/lock-path.js'
import { refusalToCreateIn } from '../create/create-project.js'
import { closed } from '../settings/visibility.js'
import { existingProject, findNamespaceBy, moveProject, type Namespace, takenNames } from '../store.js'

export interface TransferDeps {
  database: Database
  /** Called in the transaction in which a project leaves groups. */
  onMoved: (tx: Transaction, projectId: number) => Promise<void>
}

/**
 * Moves a project to another namespace in which the user may create projects (API, C2). Its visibility is
 * limited to that of the new group, and instance runners are disabled if the group forbids them.
 */
export async function transferProject(
  { database, onMoved }: TransferDeps,
  project: Project,
  idOrPath: string,
  user: User,
): Promise<Project> {
  try {
    return await inTransaction(database, async (tx) => {
      await lockMoves(tx)
      const present = await existingProject(tx, project.id)
      if (present.marked_for_deletion_at !== null) throw failed('Project is marked for deletion.')
      const namespace = await targetOf(tx, present, idOrPath, user)
      if (!(await lockPresentProject(tx, project.id))) throw notFound('Project')
      const moved = await move(tx, present, namespace)
      await onMoved(tx, project.id)
      await storeNotice(tx, 'moved_project', project.id, { from: present.full_path, actorId: user.id })
      await emitProjectEvents(tx, { name: 'project_transfer', redirect: present.full_path }, moved)
      return moved
    })
  } catch (error) {
    // Another request has just taken the name.
    if (isUniqueViolation(error)) throw failed(NAME_TAKEN)
    throw error
  }
}

async function targetOf(tx: Transaction, project: Project, idOrPath: string, user: User): Promise<Namespace> {
  const namespace = await findNamespaceBy(tx, idOrPath)
  if (!namespace) throw notFound('Namespace')
  const refusal = await refusalToCreateIn(tx, namespace, user)
  if (refusal?.status === 404) throw refusal
  if (refusal) throw failed("You don't have permission to transfer projects into that namespace.")
  if (namespace.id === project.namespace_id) throw failed('Project is already in this namespace.')
  const place = await lockPlace(tx, namespace.id)
  const taken = await takenNames(tx, place.id, project)
  if (taken.name || taken.path) throw failed(NAME_TAKEN)
  return place
}

const NAME_TAKEN = 'Project with same name or path in target namespace already exists'

async function move(tx: Transaction, project: Project, namespace: Namespace): Promise<Project> {
  const isWithoutRunners = namespace.shared_runners_setting === 'disabled_and_unoverridable'
  if (isWithoutRunners) await allowInstanceRunners(tx, [project.id], false)
  return moveProject(tx, project.id, {
    namespace_id: namespace.id,
    full_path: `${namespace.full_path}/${project.path}`,
    visibility: closed(project.visibility, namespace),
    ...(isWithoutRunners ? { shared_runners_enabled: false } : {}),
  })
}

function failed(reason: string): ApiError {
  return apiError('project_transfer_failed', { reason })
}
