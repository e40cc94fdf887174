import type { Updateable } from 'kysely'

import { problemOfPathName } from '../../../../addresses/path-name.js'
import { OWNER } from '../../../access/access-levels.js'
import type { Project, User } from '../../../access/caller.js'
import { overrideRoleOf } from '../../../access/may-set-variables.js'
import { allowInstanceRunners } from '../../../ci/queue/store.js'
import { unlockArtifactsOfProject } from '../../../ci/storage/artifacts/artifact-locks.js'
import { lockPresentProject } from '../../../database/lock-row.js'
import { updateProject } from '../../../database/stores/project-store.js'
import type { ProjectTable } from '../../../database/tables/projects.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { forbidden, invalidRecord, notFound } from '../../../http/errors.js'
import {
  emitProjectEvents,
  type ProjectEvent,
} from '../../../integrations/webhooks/outbox/emit-system-events.js'
import { checkAvatar } from '../../avatars/avatar-parameter.js'
import { lockMoves } from '../../paths/lock-path.js'
import type { Repositories } from '../../repositories/repositories.js'
import { refuseRestricted } from '../../restricted-visibility.js'
import { saveTopics } from '../../topic-store.js'
import { changeAvatar, type ProjectAvatarDeps } from '../avatar.js'
import { existingProject, findNamespace, moveProject, type Namespace } from '../store.js'
import { checkSettings } from './check-settings.js'
import { columnsOf, topicsOf } from './editable-columns.js'
import type { EditProject } from './parameters.js'
import { refuseInstanceRunners } from './refuse-instance-runners.js'
import { refuseTaken } from './refuse-taken.js'
import { refuseTooOpen } from './visibility.js'

export interface EditDeps extends ProjectAvatarDeps {
  repositories: Pick<Repositories, 'resolveRef' | 'setHead'>
}

export interface Editor {
  user: User
  /** Effective access level in the project. */
  accessLevel: number
}

/** Changes the settings of a project; only owners may change the visibility (API, A15). */
export async function editProject(
  deps: EditDeps,
  project: Project,
  params: EditProject,
  { user, accessLevel }: Editor,
): Promise<Project> {
  checkSettings(params, user)
  const changesVisibility = params.visibility !== undefined && params.visibility !== project.visibility
  const isForOwners = changesVisibility || changesOwnerSettings(project, params)
  if (isForOwners && accessLevel < OWNER) throw forbidden()
  await refuseUnknownBranch(deps, project, params.default_branch)
  await checkAvatar(deps.avatars, params.avatar)
  const edited = await inTransaction(deps.database, async (tx) => {
    if (isRenamed(project, params)) await lockMoves(tx)
    const before = await existingProject(tx, project.id)
    const namespace = await findNamespace(tx, before.namespace_id)
    if (!namespace) throw notFound('Namespace')
    if (params.visibility) refuseTooOpen(params.visibility, namespace)
    if (params.visibility && changesVisibility) await refuseRestricted(tx, params.visibility, user)
    refuseInstanceRunners(params, namespace)
    const names = await newNames(tx, before, params, namespace)
    // Lock the project before the rows that belong to it, in the same order as its deletion.
    if (!(await lockPresentProject(tx, project.id))) throw notFound('Project')
    const { shared_runners_enabled: allowed } = params
    if (allowed !== undefined) await allowInstanceRunners(tx, [project.id], allowed)
    if (params.keep_latest_artifact === false) await unlockArtifactsOfProject(tx, project.id)
    const topics = topicsOf(params)
    if (topics) await saveTopics(tx, project.id, topics)
    const changes = { ...columnsOf(params), ...names }
    const edited =
      names.full_path === undefined
        ? await updateProject(tx, project.id, changes)
        : await moveProject(tx, project.id, { ...changes, full_path: names.full_path })
    await emitProjectEvents(tx, eventOf(before, edited), edited)
    return edited
  })
  // HEAD of the repository follows the new default branch; the record shows the new one at once.
  if (params.default_branch) await deps.repositories.setHead(project.id, params.default_branch)
  return changeAvatar(deps, edited, params.avatar)
}

function eventOf({ full_path }: Project, edited: Project): ProjectEvent {
  if (full_path === edited.full_path) return { name: 'project_update' }
  return { name: 'project_rename', redirect: full_path }
}

/**
 * Only owners may change the minimum role for variables from or to owner; otherwise maintainers could
 * circumvent it.
 */
function changesOwnerSettings(project: Project, params: EditProject): boolean {
  const roles = [overrideRoleOf(project), overrideRoleOf({ ...project, ...columnsOf(params) })]
  return roles[0] !== roles[1] && roles.includes('owner')
}

async function refuseUnknownBranch(
  { repositories }: EditDeps,
  project: Project,
  branch: string | undefined,
): Promise<void> {
  if (branch === undefined || branch === project.default_branch) return
  const found = await repositories.resolveRef(project.id, `refs/heads/${branch}`)
  if (!found)
    throw invalidRecord({
      base: [`Could not set the default branch. Do you have a branch named '${branch}' in your repository?`],
    })
}

function isRenamed(project: Project, { name = project.name, path = project.path }: EditProject): boolean {
  return name !== project.name || path !== project.path
}

async function newNames(
  tx: Transaction,
  project: Project,
  params: EditProject,
  namespace: Namespace,
): Promise<Updateable<ProjectTable>> {
  if (!isRenamed(project, params)) return {}
  // A project marked for deletion in the meantime keeps the name and path of the mark.
  if (project.marked_for_deletion_at !== null) throw forbidden()
  const { name = project.name, path = project.path } = params
  const problem = problemOfPathName(path, 'inside')
  if (problem) throw invalidRecord({ path: [problem] })
  await refuseTaken(tx, namespace, { name, path, except: project.id })
  return { name, path, full_path: `${namespace.full_path}/${path}` }
}
