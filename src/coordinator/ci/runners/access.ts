import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { forbidden, notFound } from '../../http/errors.js'
import { findRunner, maintainedProjectsOfRunner, ownsGroup, projectsOfGroup, type Runner } from './store.js'

/** The runner if the user may see its details: those of the instance are everybody's. */
export async function runnerToRead(database: Database, user: User, id: number): Promise<Runner> {
  const runner = await existingRunner(database, id)
  if (runner.runner_type === 'instance_type') return runner
  return checked(database, user, runner)
}

/** The runner if the user may change it: administrators, owners of its group, maintainers of a project that has it. */
export async function runnerToChange(database: Database, user: User, id: number): Promise<Runner> {
  return checked(database, user, await existingRunner(database, id))
}

/**
 * The runner if the user may see its jobs, and of which projects: all for an administrator, else those of the user's
 * group or those that the user maintains, for a runner may work for several.
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
    : projectsOfGroup(database, group_id)
}

async function existingRunner(database: Database, id: number): Promise<Runner> {
  const runner = await findRunner(database, id)
  if (!runner) throw notFound('Runner')
  return runner
}

async function checked(database: Database, user: User, runner: Runner): Promise<Runner> {
  if (user.is_admin || (await isResponsible(database, user, runner))) return runner
  throw forbidden('No access granted')
}

async function isResponsible(database: Database, user: User, { id, group_id }: Runner): Promise<boolean> {
  if (group_id !== null) return ownsGroup(database, user, group_id)
  return (await maintainedProjectsOfRunner(database, user, id)).length > 0
}
