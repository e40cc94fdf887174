import type { Logger } from '../../../lib/logger.js'
import { shareNextCall } from '../../../lib/share-next-call.js'
import type { Database, DialectName } from '../../database/connect.js'
import { afterCommit, type Transaction } from '../../database/transaction.js'
import { claimInFairOrder, type FairClaim } from './claim-in-fair-order.js'
import { claimOldest, deleteUnclaimedEntries } from './claim.js'
import { FairnessLock } from './fairness-lock.js'
import { allPartitionHeads, findKinds, headsIn, type PartitionKind } from './find-partition-heads.js'
import { leaseHolder, type LeaseSettings, startLeases, uncontactedUntil } from './lease.js'
import type { RunnerProfile } from './match.js'
import type { PartitionHead } from './partition.js'
import { hasInstanceJobs, partitionsInOrder } from './partitions.js'
import { addEntries, findQueuedJobs, type PendingJob, type QueuedProject } from './store.js'
import { TagSets } from './tag-sets.js'
import type { QueuedJob, WaitingRequest, Wake } from './waiting-request.js'
import { WaitingRequests } from './waiting-requests.js'

export interface JobQueueDeps {
  database: Database
  dialect: DialectName
  logger: Logger
  /**
   * Notifies the other coordinator processes of jobs for which no request waits here; each calls `receive`.
   */
  notifyOthers?: (jobIds: number[]) => Promise<void>
}

/**
 * Matches pending jobs with runners. A job that becomes pending wakes one waiting request whose runner may
 * take it. If none waits here, the other coordinators are notified and each wakes one of its requests.
 */
export class JobQueue {
  private readonly waiting = new WaitingRequests((wake) => this.inBackground(this.passOn(wake)))
  private readonly tagSets: TagSets
  private readonly fairnessLock: FairnessLock
  private readonly kinds: () => Promise<PartitionKind[]>
  private readonly background = new Set<Promise<void>>()
  private leftToOthers = 0

  constructor(private readonly deps: JobQueueDeps) {
    this.tagSets = new TagSets(deps.database)
    this.fairnessLock = new FairnessLock(deps.database)
    // Each request asks for the same, and a full queue has many requests.
    this.kinds = shareNextCall(() => findKinds(deps.database))
  }

  /** Adds jobs that `tx` made pending to the queue. Waiting requests are woken after its commit. */
  async enqueue(tx: Transaction, jobs: PendingJob[], project: QueuedProject): Promise<void> {
    if (jobs.length === 0) return
    await addEntries(tx, jobs, project.shared_runners_enabled)
    afterCommit(tx, () =>
      this.wakeFor(
        jobs.map((job) => queuedJob(job, project)),
        false,
      ),
    )
  }

  /** Removes jobs that are no longer pending. `tx` must hold the lock on their pipeline. */
  async dequeue(tx: Transaction, jobIds: number[]): Promise<void> {
    if (jobIds.length === 0) return
    await deleteUnclaimedEntries(tx, this.deps.dialect, jobIds)
    this.applyAfter(tx, jobIds)
  }

  /**
   * Partitions to claim from, in order (CI language, 14.2), without those whose first job is reserved for a
   * better runner.
   */
  async partitionsFor(
    runner: RunnerProfile,
    database: Database = this.deps.database,
  ): Promise<PartitionHead[]> {
    const partitions = await partitionsInOrder({ database, tagSets: this.tagSets }, runner)
    const offered = partitions.filter((partition) => !this.waiting.isLeftToAnother(partition.job_id, runner))
    this.leftToOthers += partitions.length - offered.length
    return offered
  }

  /** How many jobs searches have left to better runners so far. */
  get jobsLeftToOthers(): number {
    return this.leftToOthers
  }

  /** Whether an instance runner must use the fair order. */
  async hasInstanceJobs(runner: RunnerProfile): Promise<boolean> {
    return runner.active && hasInstanceJobs(this.tagSets, await this.kinds(), runner)
  }

  /**
   * Runs transactions on PostgreSQL one after the other across all coordinators, for `claimInFairOrder`, with the heads of the
   * partitions that it needs first. SQLite has one writer at a time anyway.
   */
  withFairnessLock<T>(work: (tx: Transaction, heads: PartitionHead[]) => Promise<T>): Promise<T> {
    return this.fairnessLock.run(allPartitionHeads, (tx, rows) => work(tx, headsIn(rows)))
  }

  /**
   * Takes the jobs out of the queue that these instance runners would get if they asked one after the other; all of them
   * may take the same jobs. Each job is under a lease of its runner, and may no longer be pending. `heads`: as they are in
   * `tx`, if they have been read.
   */
  async claimInFairOrder(
    tx: Transaction,
    runners: readonly RunnerProfile[],
    lease: LeaseSettings,
    heads?: readonly PartitionHead[],
  ): Promise<FairClaim[]> {
    const { tagSets, waiting } = this
    const deps = { dialect: this.deps.dialect, tagSets, waiting, lease }
    const { claims, leftToOthers } = await claimInFairOrder(deps, tx, runners, heads)
    this.leftToOthers += leftToOthers
    this.applyAfter(
      tx,
      claims.map(({ jobId }) => jobId),
    )
    return claims
  }

  /**
   * Takes the oldest job of each partition that no other claimer has locked out of the queue, under a lease of its runner.
   * Returns their IDs; undefined where there is none. They may no longer be pending.
   */
  async claim(
    tx: Transaction,
    wanted: readonly { partition: PartitionHead; runner: RunnerProfile }[],
    lease: LeaseSettings,
  ): Promise<(number | undefined)[]> {
    const jobIds = await claimOldest(
      tx,
      wanted.map(({ partition }) => partition),
    )
    const holders = wanted.flatMap(({ partition, runner }, index) => {
      const job_id = jobIds[index]
      return job_id === undefined ? [] : [leaseHolder({ ...partition, job_id }, runner)]
    })
    await startLeases(tx, holders, uncontactedUntil(lease))
    this.applyAfter(
      tx,
      holders.map(({ jobId }) => jobId),
    )
    return jobIds
  }

  /**
   * Registers a job request. Call it before searching the queue, so that a job that becomes pending during
   * the search is not missed. The caller must always close the request.
   */
  wait(runner: RunnerProfile): WaitingRequest {
    return this.waiting.add(runner)
  }

  /** Another coordinator has jobs for which no request waits there. */
  receive(jobIds: number[]): void {
    if (this.waiting.isEmpty) return
    this.inBackground(findQueuedJobs(this.deps.database, jobIds).then((jobs) => this.wakeFor(jobs, true)))
  }

  /** Notifications of other coordinators may have been missed: every waiting request searches once. */
  wakeAll(): void {
    this.waiting.wakeAll()
  }

  /** No job request waits any longer, because the coordinator stops. */
  endWaits(): void {
    this.waiting.endWaits()
  }

  /** Ends when all pending notifications are sent; call it before the store is closed. */
  async stop(): Promise<void> {
    while (this.background.size > 0) await Promise.all(this.background)
  }

  private wakeFor(jobs: QueuedJob[], fromElsewhere: boolean): void {
    const notWoken = jobs.filter((job) => !this.waiting.wake({ job, tried: new Set(), fromElsewhere }))
    if (!fromElsewhere) this.notifyOtherCoordinators(notWoken)
  }

  private async passOn(wake: Wake): Promise<void> {
    const [job] = await findQueuedJobs(this.deps.database, [wake.job.jobId])
    if (!job || this.waiting.wake(wake) || wake.fromElsewhere) return
    this.notifyOtherCoordinators([job])
  }

  private notifyOtherCoordinators(jobs: QueuedJob[]): void {
    if (jobs.length === 0 || !this.deps.notifyOthers) return
    this.inBackground(this.deps.notifyOthers(jobs.map((job) => job.jobId)))
  }

  private applyAfter(tx: Transaction, jobIds: number[]): void {
    afterCommit(tx, () => jobIds.forEach((id) => this.waiting.discard(id)))
  }

  /** A wake that is lost only delays a job until its runner's next request. */
  private inBackground(work: Promise<void>): void {
    const guarded = work
      .catch((error: unknown) => this.deps.logger.warn({ err: error }, 'Failed to wake a waiting runner'))
      .finally(() => this.background.delete(guarded))
    this.background.add(guarded)
  }
}

function queuedJob(job: PendingJob, project: QueuedProject): QueuedJob {
  return {
    jobId: job.id,
    priority: job.priority,
    projectId: job.project_id,
    projectPath: project.full_path,
    tags: job.tag_list,
    protected: job.protected,
    instanceRunnersAllowed: project.shared_runners_enabled,
    groupRunnersAllowed: project.group_runners_enabled,
  }
}
