import type { Insertable } from 'kysely'

import { isEnvironmentName } from '../../../../ci-config/environment-name.js'
import { environmentSlug } from '../../../../ci-config/environment-slug.js'
import { tierOf } from '../../../../ci-config/environment-tier.js'
import type { PlannedEnvironment, PlannedJob } from '../../../../ci-config/plan.js'
import { type EnvironmentTable, type Tier, TIERS } from '../../../database/tables/environments.js'
import type { Transaction } from '../../../database/transaction.js'
import { autoStopTime } from './auto-stop-time.js'
import { environmentIds, insertEnvironments } from './environment-store.js'

/**
 * Returns the ids, by name, of the environments that the jobs of a new pipeline name. Creates missing
 * environments, whatever the jobs do with them; `userId` is the user of the pipeline. Invalid names, invalid
 * tiers, and names whose slug is already taken have no id (CI language, 15.1).
 */
export async function ensureEnvironments(
  tx: Transaction,
  { projectId, userId }: { projectId: number; userId: number },
  jobs: Pick<PlannedJob, 'environment'>[],
): Promise<Map<string, number>> {
  const wanted = jobs.flatMap(({ environment }) => environment ?? [])
  const names = [...new Set(wanted.map(({ name }) => name).filter(isEnvironmentName))]
  if (names.length === 0) return new Map()
  const known = await environmentIds(tx, projectId, names)
  const made = new Map<string, Insertable<EnvironmentTable>>()
  for (const environment of wanted) {
    const { name } = environment
    if (known.has(name) || made.has(name) || !isEnvironmentName(name)) continue
    const tier = tierFor(environment)
    if (tier) made.set(name, newEnvironment({ projectId, userId }, environment, tier))
  }
  if (made.size === 0) return known
  await insertEnvironments(tx, [...made.values()])
  return environmentIds(tx, projectId, names)
}

/** Returns the id of the environment with this name. Creates the environment if needed. */
export async function ensureEnvironment(
  tx: Transaction,
  by: { projectId: number; userId: number },
  name: string,
): Promise<number | undefined> {
  const ids = await ensureEnvironments(tx, by, [{ environment: { name, action: 'start' } }])
  return ids.get(name)
}

/** The tier that the job declares, or else the tier derived from the name; undefined for an invalid tier. */
export function tierFor({ name, tier = tierOf(name) }: Pick<PlannedEnvironment, 'name' | 'tier'>) {
  return TIERS.find((known) => known === tier)
}

function newEnvironment(
  { projectId, userId }: { projectId: number; userId: number },
  { name, autoStopIn }: PlannedEnvironment,
  tier: Tier,
): Insertable<EnvironmentTable> {
  const now = Date.now()
  const autoStopAt = autoStopTime(autoStopIn, now) ?? null
  return {
    project_id: projectId,
    name,
    slug: environmentSlug(name),
    tier,
    auto_stop_at: autoStopAt,
    auto_stop_user_id: autoStopAt === null ? null : userId,
    created_at: now,
    updated_at: now,
  }
}
