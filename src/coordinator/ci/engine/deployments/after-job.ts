import type { Updateable } from 'kysely'

import { ConfigError } from '../../../../ci-config/errors.js'
import { namesReferredTo } from '../../../../ci-config/variables/expand.js'
import type { EnvironmentTable } from '../../../database/tables/environments.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { afterCommit, beforeCommit, type Transaction } from '../../../database/transaction.js'
import { COMMIT_ORDER } from '../commit-order.js'
import type { EngineDeps } from '../engine-deps.js'
import { autoStopTime } from './auto-stop-time.js'
import { tierFor } from './ensure-environments.js'
import { type EnvironmentRow, lockEnvironment, updateEnvironment } from './environment-store.js'
import { isSafeUrl } from './safe-url.js'
import { hasUnfinishedStopJob } from './stop-job-store.js'

type Changes = Updateable<EnvironmentTable>
type Change = (environment: EnvironmentRow) => Changes | undefined

const touched = new WeakMap<Transaction, Map<number, Change[]>>()

/**
 * Returns the environment URL that a successful job sets, expanded with its final variables, including those
 * of its dotenv report (CI language, 15.2). Undefined if it sets none. Call it before the transaction that
 * ends the job, because it reads much data.
 */
export async function addressAfter(
  { jobVariables, logger }: Pick<EngineDeps, 'jobVariables' | 'logger'>,
  job: JobRow,
): Promise<string | undefined> {
  const written = job.environment_id === null ? undefined : job.options.environment?.url
  if (written === undefined || job.environment_action !== 'start') return undefined
  if (namesReferredTo(written).length === 0) return written
  try {
    return (await jobVariables(job)).expand(written, 'empty')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    logger.warn(
      { err: error, job: job.id },
      'The URL of the environment is unchanged, because it could not be expanded',
    )
    return undefined
  }
}

/**
 * Updates the environment after a successful job, at the end of `tx` (CI language, 15.2 to 15.4). A
 * deployment makes the environment available and sets its URL. A stop job stops it. Most other jobs renew its
 * stop time.
 */
export async function recordSuccess(
  deps: Pick<EngineDeps, 'dialect' | 'notifications'>,
  tx: Transaction,
  job: JobRow,
  address: string | undefined,
): Promise<void> {
  if (job.environment_id === null) return
  const change = await changeAfter(tx, job, address)
  if (change) changeAtTheEnd(deps, tx, job.environment_id, change)
}

async function changeAfter(
  tx: Transaction,
  job: JobRow,
  address: string | undefined,
): Promise<Change | undefined> {
  const environment = job.options.environment
  const autoStopAt = autoStopTime(environment?.autoStopIn, Date.now())
  const deployed = timerSetBy(job, autoStopAt)
  switch (job.environment_action) {
    case 'start':
      return ({ tier }) => ({
        ...deployed,
        state: 'available',
        tier: (environment?.tier !== undefined && tierFor(environment)) || tier,
        ...(address !== undefined && isSafeUrl(address) && { external_url: address }),
      })
    case 'prepare':
    case 'access':
      return (current) =>
        current.state === 'available' && autoStopAt !== undefined
          ? renewedTimer(current, job, autoStopAt)
          : undefined
    case 'stop':
      if (await hasUnfinishedStopJob(tx, job)) return undefined
      return () => ({ state: 'stopped', ...NO_TIMER })
    default:
      return undefined
  }
}

/** An environment without automatic stop. */
export const NO_TIMER = { auto_stop_at: null, auto_stop_user_id: null } as const satisfies Changes

function timerSetBy(job: JobRow, autoStopAt: number | null | undefined): Changes {
  if (autoStopAt === undefined) return {}
  return autoStopAt === null ? NO_TIMER : { auto_stop_at: autoStopAt, auto_stop_user_id: job.user_id }
}

/**
 * A job that only uses an environment extends the stop time but keeps the user who set it. A job that makes
 * the stop time earlier becomes responsible: the environment is then stopped on behalf of its user.
 */
function renewedTimer(current: EnvironmentRow, job: JobRow, autoStopAt: number | null): Changes {
  const isExtended =
    current.auto_stop_at !== null && autoStopAt !== null && autoStopAt >= current.auto_stop_at
  return isExtended ? { auto_stop_at: autoStopAt } : timerSetBy(job, autoStopAt)
}

/** Changes the environments in the order of their ids. */
export function changeAtTheEnd(
  deps: Pick<EngineDeps, 'dialect' | 'notifications'>,
  tx: Transaction,
  environmentId: number,
  change: Change,
): void {
  const known = touched.get(tx)
  const changes = known ?? new Map<number, Change[]>()
  changes.set(environmentId, [...(changes.get(environmentId) ?? []), change])
  if (known) return
  touched.set(tx, changes)
  beforeCommit(tx, COMMIT_ORDER.environments, async () => {
    touched.delete(tx)
    for (const [id, list] of [...changes].sort(([one], [other]) => one - other)) {
      await changeNow(deps, tx, id, list)
    }
  })
}

async function changeNow(
  deps: Pick<EngineDeps, 'dialect' | 'notifications'>,
  tx: Transaction,
  id: number,
  changes: Change[],
): Promise<void> {
  let environment = await lockEnvironment(tx, deps.dialect, id)
  for (const change of changes) {
    const values = environment && change(environment)
    if (values) environment = await updateEnvironment(tx, id, values)
  }
  const at = environment?.auto_stop_at
  if (typeof at === 'number') afterCommit(tx, () => deps.notifications.emit('environmentStopScheduled', at))
}
