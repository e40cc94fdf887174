import { deferred } from '../../lib/deferred.js'
import { messageOf } from '../../lib/errors.js'
import type { Logger } from '../../lib/logger.js'
import { pause } from '../../lib/pause.js'
import type { HoldClient } from '../client/coordinator-client.js'
import type { EnvironmentInterior } from '../executor/executor.js'
import type { JobJournal } from '../job/journal/job-journal.js'

/** A hold, for display. */
export interface HoldView {
  job: number
  name: string
  project: string
  url: string | undefined
  /** Name of the registration. */
  runner: string
  /** Such as the container. */
  place: string
  since: Date
  until: Date
  /** Until when it can be extended. */
  latest: Date
}

export interface HeldJobParts {
  journal: JobJournal
  interior: EnvironmentInterior
  /** Removes everything of the job. Does not throw. */
  cleanUp: () => Promise<void>
  client: HoldClient
  /** Identifies the registration. */
  owner: object
  logger: Logger
}

/** Why a hold ended. */
export type HoldEnd = 'time' | 'user' | 'administrator' | 'disk' | 'stopping' | 'gone'

/**
 * A job that has ended and whose environment is kept:
 *
 *     held ── its time is over, or `end` ──▶ environment removed ──▶ journal without it
 *       ▲──── `extend` ────┘
 */
export class HeldJob {
  /** Aborts when the hold ends, or the process leaves it to the next one. */
  readonly signal: AbortSignal
  private readonly ending = new AbortController()
  private readonly over = deferred()
  private wake = new AbortController()
  private reason: HoldEnd | undefined
  private hasLeft = false

  constructor(private readonly parts: HeldJobParts) {
    this.signal = this.ending.signal
    void this.run()
  }

  /** Resolves when nothing of the job is left, or the process has left it to the next one. */
  get ended(): Promise<void> {
    return this.over.promise
  }

  get journal(): JobJournal {
    return this.parts.journal
  }

  get interior(): EnvironmentInterior {
    return this.parts.interior
  }

  get owner(): object {
    return this.parts.owner
  }

  /** Why it ended. Undefined while the job is held. */
  get endReason(): HoldEnd | undefined {
    return this.reason
  }

  get view(): HoldView {
    const { journal, interior } = this.parts
    const { payload, runner } = journal.job
    const { since, until, latest } = this.hold
    return {
      job: payload.id,
      name: payload.job_info.name,
      project: payload.job_info.project_name,
      url: payload.variables.find(({ key }) => key === 'CI_JOB_URL')?.value,
      runner,
      place: interior.name,
      since: new Date(since),
      until: new Date(until),
      latest: new Date(latest),
    }
  }

  /** Sets the end of the hold, in milliseconds since 1970, but not after the latest possible one. Returns it. */
  async holdUntil(until: number): Promise<number> {
    const hold = { ...this.hold, until: Math.min(until, this.hold.latest) }
    await this.parts.journal.recordHold(hold)
    this.wake.abort()
    return hold.until
  }

  /** As `holdUntil`, and reports it to the coordinator. */
  async extendTo(until: number): Promise<void> {
    const { client, journal, logger } = this.parts
    const now = await this.holdUntil(until)
    const { token } = this.hold
    if (token === undefined) return
    try {
      await client.changeHold(journal.job.payload.id, token, Math.max(0, now - Date.now()) / 1000)
    } catch (error) {
      logger.warn({ error: messageOf(error) }, 'The extension of a hold could not be reported')
    }
  }

  /** Ends the hold, and resolves when nothing of the job is left. The first reason counts. */
  async end(reason: HoldEnd): Promise<void> {
    this.reason ??= reason
    this.ending.abort()
    await this.ended
  }

  /** Leaves the hold to the next process. */
  async leave(): Promise<void> {
    this.hasLeft = this.reason === undefined
    this.ending.abort()
    await this.ended
  }

  private get hold() {
    const { hold } = this.parts.journal
    if (!hold) throw new Error('The job is not held')
    return hold
  }

  private async run(): Promise<void> {
    await this.untilOver()
    if (!this.hasLeft) {
      this.reason ??= 'time'
      this.ending.abort()
      await this.remove()
    }
    this.over.resolve()
  }

  private async untilOver(): Promise<void> {
    while (!this.signal.aborted && this.hold.until > Date.now()) {
      this.wake = new AbortController()
      await pause(this.hold.until - Date.now(), AbortSignal.any([this.signal, this.wake.signal]))
    }
  }

  private async remove(): Promise<void> {
    const { journal, cleanUp, logger } = this.parts
    logger.info({ reason: this.reason }, 'The hold of a job ends')
    await cleanUp()
    try {
      await journal.endHold()
    } catch (error) {
      // The next process finds nothing left of the job, and ends the hold again.
      logger.warn({ error: messageOf(error) }, 'The end of a hold could not be recorded')
    }
  }
}
