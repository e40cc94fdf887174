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
  /** For a runner of a group or of projects: where its jobs are, in the order in which to take them. */
  partitions: readonly PartitionHead[]
}

export type Attempt = StartResult | 'none-left'

/** `fair`: under the fairness lock. */
type Turn = 'fair' | 'plain'

type DispatchTurns = Turns<Turn, JobRequest, Attempt>

const turnsOf = new WeakMap<EngineDeps, DispatchTurns>()

/**
 * Serves a request together with those that arrive at the same time: they share a transaction.
 *
 * Instance runners take jobs of all projects in a fair order. It depends on the jobs that earlier requests got, so the
 * requests are served one after the other, on PostgreSQL across all coordinators. There they take two transactions, so that
 * the lock is held for few statements:
 *
 *   under the fairness lock: take jobs out of the queue, under leases ── commit ── lock pipelines, start the jobs
 *
 * SQLite has one writer at a time: there, plain turns serve all requests.
 */
export function askForJob(deps: EngineDeps, request: JobRequest): Promise<Attempt> {
  const isFair = isOfInstance(request) && deps.dialect === 'postgres'
  return dispatchTurns(deps).ask(isFair ? 'fair' : 'plain', request)
}

function dispatchTurns(deps: EngineDeps): DispatchTurns {
  const known = turnsOf.get(deps)
  if (known) return known
  const turns: DispatchTurns = new Turns((turn, take) =>
    turn === 'fair' ? serveUnderFairnessLock(deps, take) : serveTurn(deps, take),
  )
  turnsOf.set(deps, turns)
  return turns
}

function isOfInstance({ profile }: JobRequest): boolean {
  return profile.type === 'instance_type'
}

interface ClaimedTurn {
  requests: readonly JobRequest[]
  /** Claims of some of the requests. */
  claims: ReadonlyMap<JobRequest, Claim>
}

function serveTurn(deps: EngineDeps, take: () => readonly JobRequest[]): Promise<Attempt[]> {
  return inTransaction(deps.database, async (tx) => {
    const requests = take()
    const fair = await claimInFairOrder(deps, tx, requests.filter(isOfInstance))
    const others = requests.filter((request) => !isOfInstance(request))
    const claims = new Map([...fair, ...(await claimFromPartitions(deps, tx, others))])
    return startTurn(deps, tx, { requests, claims })
  })
}

/** On PostgreSQL. */
async function serveUnderFairnessLock(
  deps: EngineDeps,
  take: () => readonly JobRequest[],
): Promise<Attempt[]> {
  const { database, queue } = deps
  const turn = await queue.withFairnessLock(async (tx, heads): Promise<ClaimedTurn> => {
    const requests = take()
    return { requests, claims: await claimInFairOrder(deps, tx, requests, heads) }
  })
  if (turn.claims.size === 0) return turn.requests.map(() => 'none-left')
  try {
    return await inTransaction(database, (tx) => startTurn(deps, tx, turn))
  } catch (error) {
    for (const claim of turn.claims.values()) await releaseClaim(deps, claim)
    throw error
  }
}

async function claimInFairOrder(
  { queue, lease }: EngineDeps,
  tx: Transaction,
  requests: readonly JobRequest[],
  heads?: readonly PartitionHead[],
): Promise<Map<JobRequest, Claim>> {
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
  return claims
}

/** Moves to the next partition of a request only if all jobs of the one before are taken, or being claimed by others. */
async function claimFromPartitions(
  { queue, lease }: EngineDeps,
  tx: Transaction,
  requests: readonly JobRequest[],
): Promise<Map<JobRequest, Claim>> {
  const claims = new Map<JobRequest, Claim>()
  for (let next = 0; ; next++) {
    const wanted = requests.flatMap((request) => {
      const partition = claims.has(request) ? undefined : request.partitions[next]
      return partition ? [{ request, partition, runner: request.profile }] : []
    })
    if (wanted.length === 0) return claims
    for (const [index, jobId] of (await queue.claim(tx, wanted, lease)).entries()) {
      const { request } = wanted[index] as (typeof wanted)[number] // one for each
      if (jobId !== undefined) claims.set(request, { jobId, asking: request.asking })
    }
  }
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
