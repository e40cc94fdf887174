import { messageOf } from '../../lib/errors.js'
import { tokenDigest } from '../../lib/tokens.js'
import type { JobPayload } from '../../protocol/job-payload.js'
import type { ReceivedJob } from '../client/job-response.js'
import type { OpenDiskCleanup } from '../disk-cleanup/open-disk-cleanup.js'
import type { HeldJob } from '../holds/held-job.js'
import type { Holds } from '../holds/holds.js'
import { JOB_TIMINGS } from '../job/job-context.js'
import type { JobJournal } from '../job/journal/job-journal.js'
import type { Journals } from '../job/journal/journals.js'
import { failureReasonOf } from '../job/outcome.js'
import type { JobEnd, RunnerSignals } from '../job/run-job.js'
import { JobNumbers } from './job-numbers.js'
import { refuseJob } from './orphaned-jobs.js'
import type { Recorder } from './recorder.js'
import type { JobWatch, RunningJobs } from './running-jobs.js'
import type { RuntimeFactory } from './runtime-factory.js'
import { labelsOf, type Runtime } from './runtime.js'

/** Receives the start and the end of every job. */
export interface JobObserver {
  jobReceived(): void
  jobEnded(): void
}

export interface RegistrationJobsOptions {
  parts: RuntimeFactory
  jobs: RunningJobs
  journals: Pick<Journals, 'begin'>
  holds: Holds
  diskCleanup: OpenDiskCleanup | undefined
  recorder: Recorder
  observer?: JobObserver | undefined
  temporaryDir: string
  signals: RunnerSignals
  /** Called for jobs that ended and whose result could not be delivered. */
  onUndelivered: (journal: JobJournal) => void
}

/** The jobs of one registration, from their arrival to their end. Each keeps the runtime that it began with. */
export class RegistrationJobs {
  private readonly numbers = new JobNumbers()
  private runningCount = 0
  private onIdle: (() => void)[] = []

  constructor(private readonly options: RegistrationJobsOptions) {}

  /** Number of running jobs. */
  get running(): number {
    return this.runningCount
  }

  /** Resolves when no job runs. */
  async idle(): Promise<void> {
    if (this.runningCount > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve))
  }

  /** Runs a received job. Resolves at its end. */
  async handle(received: ReceivedJob, runtime: Runtime): Promise<void> {
    if (received.kind === 'unreadable') {
      await refuseJob(runtime, received, `this runner cannot read the job: ${received.problem}`)
      return
    }
    await this.counted(received.payload, runtime, () => this.begin(received, runtime))
  }

  /** Resumes a job of an earlier process. Resolves at its end. */
  async resume(journal: JobJournal, runtime: Runtime): Promise<void> {
    const { payload } = journal.job
    await this.counted(payload, runtime, async () => {
      const { release } = this.numbers.take(payload.job_info.project_id, journal.job)
      runtime.logger.info({ job: payload.id }, 'Resuming a job of an earlier process')
      try {
        await this.runToEnd(journal, runtime)
      } finally {
        await this.releaseAfterHold(journal, release)
      }
    })
  }

  /** Continues to hold a job of an earlier process. Resolves when its slot is free. */
  async continueHold(
    journal: JobJournal,
    { registration, executor, workspaces, client, logger }: Runtime,
  ): Promise<void> {
    const { payload } = journal.job
    const { release } = this.numbers.take(payload.job_info.project_id, journal.job)
    try {
      logger.info({ job: payload.id }, 'Holding a job of an earlier process')
      const { adoptHeld } = await import('../job/adopt-held.js')
      const deps = { registration, executor, workspaces, logger: logger.child({ job: payload.id }) }
      const { environment, cleanUp } = await adoptHeld(deps, journal)
      const { interior } = environment
      if (interior) await this.options.holds.continue({ journal, interior, cleanUp, client, owner: this })
      else await cleanUp()
    } catch (error) {
      logger.warn({ job: payload.id, error: messageOf(error) }, 'A held job is lost')
    } finally {
      if (!this.heldAs(journal)) await journal.endHold()
      await this.releaseAfterHold(journal, release)
    }
  }

  /** Ends the holds of the jobs of this registration. */
  async endHolds(): Promise<void> {
    await this.options.holds.endOf(this)
  }

  /** A held job keeps its number, because its workspace goes with it. Resolves when its slot is free. */
  private async releaseAfterHold(journal: JobJournal, release: () => void): Promise<void> {
    const held = this.heldAs(journal)
    if (!held) {
      release()
      return
    }
    const released = held.ended.then(release)
    if (journal.hold?.keepsSlot) await released
  }

  private heldAs(journal: JobJournal): HeldJob | undefined {
    return this.options.holds.of(journal)
  }

  /** Counts the job while `work` runs. An unexpected error is reported to the coordinator, and the job fails. */
  private async counted(payload: JobPayload, runtime: Runtime, work: () => Promise<void>): Promise<void> {
    this.runningCount++
    this.options.observer?.jobReceived()
    try {
      await work()
    } catch (error) {
      await refuseJob(runtime, payload, messageOf(error))
    } finally {
      this.runningCount--
      this.options.observer?.jobEnded()
      if (this.runningCount === 0) this.onIdle.splice(0).forEach((resolve) => resolve())
    }
  }

  private async begin({ payload }: ReceivedJob & { kind: 'job' }, runtime: Runtime): Promise<void> {
    const { registration, settings, logger } = runtime
    const { journals, recorder } = this.options
    const { release, ...numbers } = this.numbers.take(payload.job_info.project_id)
    const { project_name: project, name } = payload.job_info
    logger.info({ job: payload.id, project, name }, 'Job received')
    recorder.jobReceived(labelsOf(registration, settings.systemId), payload)
    let begun: JobJournal | undefined
    try {
      const runner = {
        url: registration.url,
        runner: registration.name,
        tokenDigest: tokenDigest(registration.token),
      }
      const journal = await journals.begin({ ...runner, payload, receivedAt: Date.now(), ...numbers })
      begun = journal
      await this.runToEnd(journal, runtime)
    } finally {
      if (begun) await this.releaseAfterHold(begun, release)
      else release()
    }
  }

  private async runToEnd(journal: JobJournal, runtime: Runtime): Promise<void> {
    try {
      const end = await this.watched(journal, runtime)
      runtime.logger.info({ job: journal.job.payload.id, outcome: end.kind }, 'Job ended')
      if (end.kind === 'undelivered') this.options.onUndelivered(journal)
    } catch (error) {
      await this.heldAs(journal)?.end('gone')
      await journal.remove()
      throw error
    } finally {
      this.options.diskCleanup?.diskCleanup.jobEnded()
    }
  }

  private async watched(journal: JobJournal, runtime: Runtime): Promise<JobEnd> {
    const { registration, settings } = runtime
    const { jobs, recorder } = this.options
    const { payload, receivedAt } = journal.job
    const labels = labelsOf(registration, settings.systemId)
    const taker = { runner: registration.name, runnerToken: labels.runner, coordinator: registration.url }
    const onStageEnd = (stage: string, seconds: number) => recorder.stageEnded(labels, stage, seconds)
    const watch = jobs.add(payload, taker, onStageEnd, new Date(receivedAt))
    try {
      const end = await this.runJob(journal, runtime, watch)
      recorder.jobEnded(labels, (Date.now() - receivedAt) / 1000, reasonOf(end, journal))
      return end
    } finally {
      watch.remove()
    }
  }

  private async runJob(
    journal: JobJournal,
    { settings, logger, caches, ...runtime }: Runtime,
    { enterStage }: JobWatch,
  ): Promise<JobEnd> {
    const { temporaryDir, signals, parts, holds } = this.options
    // Loaded with the first job, to save memory in idle runners.
    const { runJob } = await import('../job/run-job.js')
    const deps = {
      ...runtime,
      systemId: settings.systemId,
      caches: await caches(),
      temporaryDir,
      logger: logger.child({ job: journal.job.payload.id }),
      timings: parts.timings ?? JOB_TIMINGS,
      holds: holds.forRegistration(this, runtime.client),
      enterStage,
    }
    return await runJob(deps, journal, signals)
  }
}

/** The failure reason, even of a job whose result is not delivered yet. Undefined for a job that did not fail. */
function reasonOf(end: JobEnd, { outcome }: JobJournal): string | undefined {
  const ended = end.kind === 'undelivered' ? outcome : end
  return !ended || ended.kind === 'unwanted' ? undefined : failureReasonOf(ended)
}
