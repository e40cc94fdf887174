import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { apiError, notFound } from '../../http/errors.js'
import {
  findRunner,
  maintainedProjectsOfRunner,
  ownsGroup,
  projectsBelowGroup,
  type Runner,
} from './store.js'

/** The runner if the user may see its details. Every user may see those of instance runners. */
export async function runnerToRead(database: Database, user: User, id: number): Promise<Runner> {
  const runner = await existingRunner(database, id)
  if (runner.runner_type === 'instance_type') return runner
  return checked(database, user, runner)
}

/**
 * The runner if the user may change it: administrators, owners of its group, maintainers of one of its
 * projects.
 */
export async function runnerToChange(database: Database, user: User, id: number): Promise<Runner> {
  return checked(database, user, await existingRunner(database, id))
}

/**
 * Returns the runner, and the projects whose jobs the user may see. Administrators see all projects, owners
 * those of their group, and maintainers those they maintain. Throws 403 or 404 otherwise.
 */
export async function runnerJobsFor(
  database: Database,
  user: User,
  id: number,
): Promise<{ id: number; projectIds: number[] | undefined }> {
  const runner = await runnerToChange(database, user, id)
  const projectIds = user.is_admin ? undefined : await projectsShown(database, user, runner)
  return { id: runner.id, projectIds }
}

function projectsShown(database: Database, user: User, { id, group_id }: Runner): Promise<number[]> {
  return group_id === null
    ? maintainedProjectsOfRunner(database, user, id)
    : projectsBelowGroup(database, group_id)
}

async function existingRunner(database: Database, id: number): Promise<Runner> {
  const runner = await findRunner(database, id)
  if (!runner) throw notFound('Runner')
  return runner
}

async function checked(database: Database, user: User, runner: Runner): Promise<Runner> {
  if (user.is_admin || (await isResponsible(database, user, runner))) return runner
  throw apiError('runner_forbidden')
}

async function isResponsible(database: Database, user: User, { id, group_id }: Runner): Promise<boolean> {
  if (group_id !== null) return ownsGroup(database, user, group_id)
  return (await maintainedProjectsOfRunner(database, user, id)).length > 0
}
