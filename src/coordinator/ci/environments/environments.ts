import type { Updateable } from 'kysely'

import { isEnvironmentName, WRONG_NAME } from '../../../ci-config/environment-name.js'
import { environmentSlug } from '../../../ci-config/environment-slug.js'
import { DAY } from '../../../lib/time-units.js'
import type { Project, User } from '../../access/caller.js'
import type { EnvironmentTable } from '../../database/tables/environments.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { apiError, invalidParameters, invalidRecord, notFound } from '../../http/errors.js'
import { NO_TIMER } from '../engine/deployments/after-job.js'
import { tierFor } from '../engine/deployments/ensure-environments.js'
import {
  deleteEnvironmentRow,
  deleteStoppedEnvironment,
  type EnvironmentRow,
  insertEnvironment,
  updateEnvironment,
} from '../engine/deployments/environment-store.js'
import { checkDeployer, mayDeployTo } from '../engine/deployments/protection/may-deploy.js'
import { isSafeUrl } from '../engine/deployments/safe-url.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { stopEnvironment } from '../engine/environments/stop-environment.js'
import type { DeleteReviewApps, EditEnvironment, Entries, NewEnvironment } from './schema.js'
import { findEnvironmentOf, findStale, findStoppedReviewApps } from './store.js'

const YEAR = 365 * DAY

/** Throws 404. */
export async function requireEnvironment(
  { database }: Pick<EngineDeps, 'database'>,
  project: Project,
  id: number,
): Promise<EnvironmentRow> {
  const environment = await findEnvironmentOf(database, project.id, id)
  if (!environment) throw notFound('Environment')
  return environment
}

/** `user` is the caller; none = part of an imported project. Throws 403 like `checkDeployer`. */
export async function createEnvironment(
  engine: EngineDeps,
  project: Project,
  params: NewEnvironment,
  user?: User,
): Promise<EnvironmentRow> {
  const { database } = engine
  const { name } = params
  const tier = params.tier ?? tierFor({ name }) ?? 'other'
  if (user) await checkDeployer(engine, project, user, { name, tier })
  const now = Date.now()
  const changes = checked(params)
  return unlessTaken(() =>
    insertEnvironment(database, {
      ...changes,
      name,
      project_id: project.id,
      slug: environmentSlug(name),
      created_at: now,
      updated_at: now,
      tier,
    }),
  )
}

/**
 * The slug does not change, because URLs contain it. Throws 403 like `checkDeployer`, for the old and the new
 * values.
 */
export async function editEnvironment(
  engine: EngineDeps,
  project: Project,
  user: User,
  params: EditEnvironment,
): Promise<EnvironmentRow> {
  const environment = await requireEnvironment(engine, project, params.environment_id)
  const { id, name, tier } = environment
  await checkDeployer(engine, project, user, environment)
  await checkDeployer(engine, project, user, { name: params.name ?? name, tier: params.tier ?? tier })
  const changes = { ...checked(params), ...(params.cancel_auto_stop && NO_TIMER) }
  const changed = await unlessTaken(() => updateEnvironment(engine.database, id, changes))
  if (!changed) throw notFound('Environment')
  return changed
}

/** Throws 403 if the user may not run the stop jobs. */
export async function stop(
  engine: EngineDeps,
  project: Project,
  user: User,
  { environment_id, force = false }: { environment_id: number; force?: boolean },
): Promise<EnvironmentRow> {
  const { id } = await requireEnvironment(engine, project, environment_id)
  const outcome = await stopEnvironment(engine, id, { userId: user.id, force })
  switch (outcome.kind) {
    case 'done':
      return outcome.environment
    case 'refused':
      throw apiError('environment_not_stoppable', { reason: outcome.message })
    case 'gone':
      throw notFound('Environment')
  }
}

/** Stops environments without changes since a time between one week and ten years ago. */
export async function stopStale(
  engine: EngineDeps,
  project: Project,
  user: User,
  written: string,
): Promise<Entries> {
  const before = Date.parse(written)
  const now = Date.now()
  if (before < now - 10 * YEAR || before > now - 7 * DAY) throw apiError('stale_date_invalid')
  const entries: Entries = { scheduled_entries: [], unprocessable_entries: [] }
  for (const stale of await findStale(engine.database, project.id, before)) {
    const onlyIf = ({ state }: EnvironmentRow): boolean => state === 'available'
    const { kind } = await stopEnvironment(engine, stale.id, { userId: user.id, onlyIf })
    entries[kind === 'refused' ? 'unprocessable_entries' : 'scheduled_entries'].push(brief(stale))
  }
  return entries
}

/** Deletes an environment in whatever state it is. Its stop job does not run. Throws 403 as `checkDeployer` does. */
export async function deleteEnvironment(
  engine: EngineDeps,
  project: Project,
  user: User,
  id: number,
): Promise<void> {
  const environment = await requireEnvironment(engine, project, id)
  await checkDeployer(engine, project, user, environment)
  await deleteEnvironmentRow(engine.database, environment.id)
}

/**
 * Deletes stopped environments whose name starts with `review/`. With `dry_run`, the default, only lists
 * them.
 */
export async function deleteReviewApps(
  engine: EngineDeps,
  project: Project,
  user: User,
  { before: written, limit = 100, dry_run = true }: DeleteReviewApps,
): Promise<Entries> {
  const { database } = engine
  const before = written === undefined ? Date.now() - 30 * DAY : Date.parse(written)
  const found = await findStoppedReviewApps(database, project.id, before, limit)
  const entries: Entries = { scheduled_entries: [], unprocessable_entries: [] }
  for (const environment of found) {
    const isAllowed = await mayDeployTo(engine, database, { user, project }, environment)
    const isDeleted = isAllowed && (dry_run || (await deleteStoppedEnvironment(database, environment.id)))
    entries[isDeleted ? 'scheduled_entries' : 'unprocessable_entries'].push(brief(environment))
  }
  return entries
}

/** The columns to write; throws 400 for invalid values. */
function checked(params: Partial<NewEnvironment>): Updateable<EnvironmentTable> {
  const { name, external_url, tier, description, auto_stop_setting, slug } = params
  if (slug !== undefined) {
    throw invalidParameters('slug is automatically generated and cannot be changed')
  }
  if (name !== undefined && !isEnvironmentName(name)) throw invalidRecord({ name: [WRONG_NAME] })
  if (external_url && !isSafeUrl(external_url)) {
    throw invalidRecord({ external_url: ['is not a valid URL of at most 255 characters'] })
  }
  return {
    ...(name !== undefined && { name }),
    ...(external_url !== undefined && { external_url: external_url || null }),
    ...(tier !== undefined && { tier }),
    ...(description !== undefined && { description: description || null }),
    ...(auto_stop_setting !== undefined && { auto_stop_setting }),
  }
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidRecord({ name: ['has already been taken'] })
    throw error
  }
}

function brief({ id, name, slug, external_url }: EnvironmentRow) {
  return { id, name, slug, external_url }
}
