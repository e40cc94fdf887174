import { groupBy } from '../../../../lib/group-by.js'
import { Turns } from '../../../../lib/turns.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import type { RunnerProfile } from '../../queue/match.js'
import type { PartitionHead } from '../../queue/partition.js'
import type { EngineDeps } from '../engine-deps.js'
import { returnUncontacted } from './return-uncontacted.js'
import { type Claim, type RequestingRunner, startClaimed, type StartResult } from './start-claimed.js'

/** A runner that requests a job, and what it may take. */
export interface JobRequest {
  asking: RequestingRunner
  profile: RunnerProfile
}

export type Attempt = StartResult | 'none-left'

type InstanceTurns = Turns<'instance', JobRequest, Attempt>

const turnsOf = new WeakMap<EngineDeps, InstanceTurns>()

/**
 * Instance runners take jobs of all projects in a fair order. It depends on the jobs that earlier requests got, so the
 * requests are served one after the other. Those that arrive at the same time share two transactions:
 *
 *   under the fairness lock: take jobs out of the queue, under leases ── commit ── lock pipelines, start the jobs
 *
 * The lock is for all coordinators on a PostgreSQL, and is held for the few statements of the first one. On SQLite, which
 * has one writer at a time, both are one transaction.
 */
export function instanceTurns(deps: EngineDeps): InstanceTurns {
  const known = turnsOf.get(deps)
  if (known) return known
  const turns: InstanceTurns = new Turns((_key, take) => serveTurn(deps, take))
  turnsOf.set(deps, turns)
  return turns
}

interface ClaimedTurn {
  requests: readonly JobRequest[]
  /** Claims of some of the requests. */
  claims: ReadonlyMap<JobRequest, Claim>
}

async function serveTurn(deps: EngineDeps, take: () => readonly JobRequest[]): Promise<Attempt[]> {
  const { database, dialect, queue } = deps
  if (dialect === 'sqlite')
    return inTransaction(database, async (tx) => startTurn(deps, tx, await claimTurn(deps, tx, take())))
  const turn = await queue.withFairnessLock((tx, heads) => claimTurn(deps, tx, take(), heads))
  if (turn.claims.size === 0) return turn.requests.map(() => 'none-left')
  try {
    return await inTransaction(database, (tx) => startTurn(deps, tx, turn))
  } catch (error) {
    for (const claim of turn.claims.values()) await releaseClaim(deps, claim)
    throw error
  }
}

async function claimTurn(
  { queue, lease }: EngineDeps,
  tx: Transaction,
  requests: readonly JobRequest[],
  heads?: readonly PartitionHead[],
): Promise<ClaimedTurn> {
  let known = heads
  const claims = new Map<JobRequest, Claim>()
  for (const alike of groupBy(requests, ({ profile }) => kindOf(profile)).values()) {
    const profiles = alike.map(({ profile }) => profile)
    for (const { jobId, runner } of await queue.claimInFairOrder(tx, profiles, lease, known)) {
      const request = alike[runner] as JobRequest // one for each profile
      claims.set(request, { jobId, asking: request.asking })
    }
    known = undefined // these have taken some
  }
  return { requests, claims }
}

/** Equal for instance runners that may take the same jobs. */
function kindOf({ active, tags, runUntagged, protectedOnly, weight }: RunnerProfile): string {
  return JSON.stringify([active, [...tags].sort(), runUntagged, protectedOnly, weight])
}

async function startTurn(
  deps: EngineDeps,
  tx: Transaction,
  { requests, claims }: ClaimedTurn,
): Promise<Attempt[]> {
  const started = await startClaimed(deps, tx, [...claims.values()])
  const attempts = new Map([...claims.keys()].map((request, index) => [request, started[index]]))
  return requests.map((request) => attempts.get(request) ?? 'none-left')
}

/** Returns a job to the queue that could not be started. If that fails too, it returns when its lease expires. */
async function releaseClaim(deps: EngineDeps, { jobId, asking }: Claim): Promise<void> {
  try {
    const { id: runnerId } = asking.runner
    await returnUncontacted(deps, jobId, { runnerId, isOf: ({ status }) => status === 'pending' })
  } catch (error) {
    deps.logger.warn({ err: error, job: jobId }, 'Failed to return a claimed job to the queue')
  }
}
