import type { RunnerCredentials } from '../../../protocol/runner-registration.js'
import { MAINTAINER } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import { whyReadOnly } from '../../access/read-only.js'
import type { Database } from '../../database/connect.js'
import type { RunnerType } from '../../database/tables/runners.js'
import { apiError, forbidden, invalidParameters, invalidRecord, notFound } from '../../http/errors.js'
import { runnerToChange } from './access.js'
import { createRunner } from './register-runner.js'
import { applySettings, settingColumns } from './runner-settings.js'
import type { RunnerSettings } from './schema.js'
import {
  deleteRunnerRow,
  findProject,
  findRunner,
  linkRunner,
  projectsOfRunner,
  type Runner,
  unlinkRunner,
  updateRunner,
} from './store.js'

export interface RunnerOwners {
  /** The caller's effective level in a project. */
  levelOf: (user: User, project: Project) => Promise<number>
  /**
   * The group with this id or path. Throws 404 if the user may not see it, and 403 if the user does not own
   * it.
   */
  ownedGroup: (idOrPath: string, user: User) => Promise<{ id: number }>
}

export interface NewRunner extends RunnerSettings {
  runner_type: RunnerType
  group_id?: number
  project_id?: number
}

/**
 * Administrators create instance runners, group owners group runners, and maintainers project runners (runner
 * protocol, 1.6).
 */
export async function createRunnerFor(
  database: Database,
  owners: RunnerOwners,
  user: User,
  { runner_type, group_id, project_id, ...settings }: NewRunner,
): Promise<RunnerCredentials> {
  switch (runner_type) {
    case 'instance_type':
      if (!user.is_admin) throw forbidden()
      return createRunner(database, { type: runner_type }, settings, user)
    case 'group_type': {
      if (group_id === undefined) throw invalidParameters('group_id is missing')
      const group = await owners.ownedGroup(String(group_id), user)
      return createRunner(database, { type: runner_type, groupId: group.id }, settings, user)
    }
    case 'project_type': {
      if (project_id === undefined) throw invalidParameters('project_id is missing')
      const project = await maintainedProject(database, owners, user, project_id)
      return createRunner(database, { type: runner_type, projectId: project.id }, settings, user)
    }
  }
}

async function maintainedProject(
  database: Database,
  { levelOf }: RunnerOwners,
  user: User,
  projectId: number,
): Promise<Project> {
  const project = await findProject(database, projectId)
  const level = project ? await levelOf(user, project) : 0
  if (!project || level === 0) throw notFound('Project')
  // The project is a parameter, so its permissions are checked here (API, C2).
  if (level < MAINTAINER || whyReadOnly(project) !== undefined) throw forbidden()
  return project
}

export function changeRunner(database: Database, runner: Runner, settings: RunnerSettings): Promise<Runner> {
  return updateRunner(database, runner.id, settingColumns(applySettings(runner, settings)))
}

/** A runner that several projects use is only for an administrator to delete. */
export async function deleteRunner(database: Database, user: User, runner: Runner): Promise<void> {
  const projects = await projectsOfRunner(database, runner.id)
  if (projects.length > 1 && !user.is_admin) {
    throw apiError('runner_of_several_projects')
  }
  await deleteRunnerRow(database, runner.id)
}

/** Enables a project runner for one more project (API, I6). */
export async function enableRunner(
  database: Database,
  user: User,
  project: Project,
  runnerId: number,
): Promise<Runner> {
  const runner = await findRunner(database, runnerId)
  if (!runner) throw notFound('Runner')
  if (runner.runner_type === 'instance_type') throw apiError('runner_of_instance')
  if (runner.runner_type === 'group_type') throw apiError('runner_of_group')
  if (runner.locked) throw apiError('runner_locked')
  await runnerToChange(database, user, runnerId)
  if (await linkRunner(database, runnerId, project.id)) return runner
  throw invalidRecord({ runner: ['has already been taken'] })
}

/** Disables a project runner for a project, unless it is its only one. */
export async function disableRunner(database: Database, project: Project, runnerId: number): Promise<void> {
  const projects = await projectsOfRunner(database, runnerId)
  if (!projects.some(({ id }) => id === project.id)) throw notFound('Runner')
  if (projects.length === 1) {
    throw apiError('runner_of_one_project')
  }
  await unlinkRunner(database, runnerId, project.id)
}
