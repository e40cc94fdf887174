import type { DialectName } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { claimUnderLeases } from './claim.js'
import { nextInFairOrder, partitionsOfNext } from './fair-order.js'
import { findNextJobs } from './find-next-jobs.js'
import { leaseHolder, type LeaseSettings, uncontactedUntil } from './lease.js'
import type { RunnerProfile } from './match.js'
import type { PartitionHead } from './partition.js'
import { fittingPartitions, type PartitionDeps } from './partitions.js'
import { orderByPriority } from './priority-order.js'
import { countRunningOnInstanceRunners } from './running-jobs.js'
import type { WaitingRequests } from './waiting-requests.js'

export interface FairClaimDeps extends Omit<PartitionDeps, 'database'> {
  dialect: DialectName
  waiting: Pick<WaitingRequests, 'isLeftToAnother' | 'leftToOthers'>
  lease: LeaseSettings
}

/** The job that one of several runners gets. */
export interface FairClaim {
  jobId: number
  /** Index of the runner. */
  runner: number
}

/** The runners that still need a job, with their index. */
type Rest = readonly { runner: RunnerProfile; index: number }[]

interface Found {
  heads: PartitionHead[]
  /** Number of jobs that were left to better runners. */
  leftToOthers: number
}

/**
 * Takes the jobs out of the queue, under leases, that instance runners of equal properties would get if they asked one
 * after the other. Several jobs take as many statements as one. Jobs that other claimers have locked are passed over.
 * `heads`: of the partitions of all projects, if they have been read.
 */
export async function claimInFairOrder(
  deps: FairClaimDeps,
  tx: Transaction,
  runners: readonly RunnerProfile[],
  heads?: readonly PartitionHead[],
): Promise<{ claims: FairClaim[]; leftToOthers: number }> {
  const claims: FairClaim[] = []
  const locked: number[] = []
  let left = 0
  let rest: Rest = runners.map((runner, index) => ({ runner, index }))
  let known = heads
  while (rest.length > 0) {
    const { heads, leftToOthers } = await findNext(deps, tx, { rest, locked, known })
    known = undefined
    left += leftToOthers
    const holders = heads.map((head, index) => leaseHolder(head, (rest[index] as Rest[number]).runner)) // as many at most
    const claimed = await claimUnderLeases(tx, deps.dialect, holders, uncontactedUntil(deps.lease))
    for (const [index, { jobId }] of holders.entries())
      if (claimed.has(jobId)) claims.push({ jobId, runner: (rest[index] as Rest[number]).index })
      else locked.push(jobId)
    const isAll = claimed.size === heads.length && heads.length < rest.length
    if (heads.length === 0 || isAll) break
    rest = rest.filter((_, index) => !claimed.has(holders[index]?.jobId ?? 0))
  }
  return { claims, leftToOthers: left }
}

/** The heads of partitions that the next runners take, one after the other, without the jobs in `locked`. */
async function findNext(
  { dialect, tagSets, waiting }: FairClaimDeps,
  tx: Transaction,
  {
    rest,
    locked,
    known,
  }: { rest: Rest; locked: readonly number[]; known: readonly PartitionHead[] | undefined },
): Promise<Found> {
  const [first] = rest
  if (!first) return { heads: [], leftToOthers: 0 }
  const now = Date.now()
  const count = rest.length
  const all = await fittingPartitions({ database: tx, tagSets }, first.runner, known)
  const offered = all.filter(({ job_id }) => !waiting.isLeftToAnother(job_id, first.runner))
  const leftToOthers = all.length - offered.length
  const projects = new Set(offered.map(({ project_id }) => project_id))
  const running = projects.size < 2 ? new Map<number, number>() : await countRunningOnInstanceRunners(tx)
  const ordered = orderByPriority(offered, running, now)
  if (count === 1 && locked.length === 0) return { heads: ordered.slice(0, 1), leftToOthers }
  // The heads have been looked at; those behind them may be left to others as well.
  const reserved = count === 1 ? [] : waiting.leftToOthers(first.runner)
  const except = [...locked, ...reserved]
  const queues = await findNextJobs(tx, dialect, partitionsOfNext(ordered, count), except)
  const heads = nextInFairOrder(queues, running, { count, now })
  return { heads, leftToOthers: leftToOthers + reserved.length }
}
