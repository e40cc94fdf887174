import { messageOf } from '../../lib/errors.js'
import { formatBytes } from '../../lib/format-bytes.js'
import type { Logger } from '../../lib/logger.js'
import { pause } from '../../lib/pause.js'
import { SECOND } from '../../lib/time-units.js'
import type { WantedTerminal } from '../../protocol/wanted-terminal.js'
import type { HoldClient, JobIdentity } from '../client/coordinator-client.js'
import { HOLD_DEFAULTS, type HoldSettings } from '../config/hold-settings.js'
import { diskOf } from '../disk-cleanup/disk-space.js'
import type { EndedJob, JobHolds } from '../job/job-context.js'
import type { ShellPlace } from '../job/job-shells.js'
import type { JobJournal } from '../job/journal/job-journal.js'
import type { RecordedHold } from '../job/journal/job-state.js'
import { isHeldAfter, readAskedHold } from './asked-hold.js'
import { type HeldJob, type HeldJobParts, type HoldView } from './held-job.js'
import { WAITING_SCRIPT } from './hold-script.js'

/** Milliseconds between two measurements of the disk while jobs are held. */
const DISK_INTERVAL = 30 * SECOND

export interface HoldsOptions {
  dataDir: string
  logger: Logger
  /** Free bytes of the disk. Undefined if unknown. */
  freeBytes?: () => Promise<number | undefined>
}

/**
 * The held jobs of this process. A hold is recorded in the journal of its job, so that a process that is killed loses
 * none, and the next one removes what is left after its end.
 */
export class Holds {
  private readonly held = new Set<HeldJob>()
  /** Their jobs, and those that are about to be held. */
  private readonly taken = new Set<JobJournal>()
  /** Connections that keep coordinators and holds in step. These promises never reject. */
  private readonly following = new Set<Promise<void>>()
  private settings: HoldSettings
  private isClosed = false
  private watching: AbortController | undefined

  constructor(
    private readonly options: HoldsOptions,
    settings: HoldSettings = HOLD_DEFAULTS,
    private hasTerminals = false,
  ) {
    this.settings = settings
  }

  /** Applies to jobs that end from now on. */
  apply(settings: HoldSettings = HOLD_DEFAULTS, hasTerminals = false): void {
    this.settings = settings
    this.hasTerminals = hasTerminals
  }

  list(): HoldView[] {
    return [...this.held].map(({ view }) => view)
  }

  /** The held jobs with this ID: at most one for each coordinator. */
  find(jobId: number): HeldJob[] {
    return [...this.held].filter(({ view }) => view.job === jobId)
  }

  /** The hold of a job. Undefined if it is not held. */
  of(journal: JobJournal): HeldJob | undefined {
    return [...this.held].find((held) => held.journal === journal)
  }

  /** For the jobs of one registration. `owner` identifies it in `endOf`. */
  forRegistration(owner: object, client: HoldClient): JobHolds {
    return {
      begin: (job) => this.begin(job, owner, client),
      mayHold: (values) =>
        this.settings.isEnabled && readAskedHold(values, this.settings.maxSeconds, () => {}) !== undefined,
      opensShells: () => this.opensShells,
      openShell: (job, wanted, place) => {
        this.openShell(client, job, wanted, place).catch((error: unknown) =>
          this.options.logger.warn({ err: error, job: job.id }, 'A shell in a job could not be opened'),
        )
      },
    }
  }

  /** Whether people may open shells in jobs now. */
  get opensShells(): boolean {
    return this.hasTerminals
  }

  /** Loaded with the first shell, to save memory in idle runners. */
  private async openShell(
    client: HoldClient,
    { id, token }: JobIdentity,
    wanted: WantedTerminal,
    place: ShellPlace,
  ): Promise<void> {
    const { openTerminal } = await import('./open-terminal.js')
    const logger = this.options.logger.child({ job: id })
    const endReason = () => 'The scripts of the job are over'
    await openTerminal({ client, token: { job: token }, ...place, endReason, logger }, wanted)
  }

  /** Continues a hold of an earlier process. Ends it if its environment is lost. */
  async continue(parts: Omit<HeldJobParts, 'logger'>): Promise<HeldJob> {
    const logger = this.loggerOf(parts.journal)
    const held = await this.start({ ...parts, logger })
    try {
      if (held.endReason === undefined) await parts.interior.hold()
      // Their connections ended with the earlier process.
      await parts.interior.endShells()
    } catch (error) {
      logger.warn({ error: messageOf(error) }, 'A held job is lost')
      void held.end('gone')
    }
    return held
  }

  /** Ends all holds, and holds no more jobs. */
  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all([...this.held].map((held) => held.end('stopping')))
    await Promise.all(this.following)
  }

  /** Ends the holds of a registration that is removed. */
  async endOf(owner: object): Promise<void> {
    const own = [...this.held].filter((held) => held.owner === owner)
    await Promise.all(own.map((held) => held.end('stopping')))
  }

  /** Leaves all holds to the next process. */
  async leave(): Promise<void> {
    this.isClosed = true
    await Promise.all([...this.held].map((held) => held.leave()))
  }

  private async begin(job: EndedJob, owner: object, client: HoldClient): Promise<boolean> {
    const { log, values, outcome, journal } = job
    const warn = (text: string) => log.warning(text)
    const asked = readAskedHold(values, this.settings.maxSeconds, warn)
    if (!asked || !isHeldAfter(asked, outcome)) return false
    this.taken.add(journal)
    try {
      const refusal = await this.refusal(job)
      if (refusal === undefined)
        return await this.hold(job, { owner, client }, asked.seconds ?? this.settings.seconds)
      warn(`The job is not held: ${refusal}`)
    } catch (error) {
      warn(`The job is not held: ${messageOf(error)}`)
    } finally {
      if (!this.of(journal)) this.taken.delete(journal)
    }
    if (journal.hold) await journal.endHold()
    return false
  }

  /** Why the job is not held, with the remedy. Undefined if it may be held. */
  private async refusal({ environment: { interior } }: EndedJob): Promise<string | undefined> {
    const { isEnabled, maxJobs, minFreeBytes } = this.settings
    if (!isEnabled) return 'this runner holds no jobs ("enabled" in [hold] of its settings)'
    if (!interior) return 'the executor of this runner cannot hold jobs'
    if (this.isClosed) return 'the runner stops'
    const others = this.taken.size - 1
    if (others >= maxJobs) {
      return `this runner already holds ${others} (max_jobs in [hold] of its settings). End one that is not needed.`
    }
    const free = await this.freeBytes()
    if (free === undefined || free >= minFreeBytes) return undefined
    return `the disk of the runner has only ${formatBytes(free)} left, and needs ${formatBytes(minFreeBytes)} (min_free_disk in [hold])`
  }

  private async hold(
    job: EndedJob,
    of: { owner: object; client: HoldClient },
    seconds: number,
  ): Promise<boolean> {
    const { journal, environment, log, writeScript, cleanUp } = job
    const { interior } = environment
    if (!interior) return false
    const hold = journal.hold ?? this.newHold(seconds)
    if (hold.until <= Date.now()) {
      await journal.endHold()
      return false
    }
    // Recorded before the container runs again, so that a runner that is killed here finds it.
    await journal.recordHold(hold, environment.record)
    await writeScript(WAITING_SCRIPT)
    await interior.hold()
    const token = hold.token ?? (await this.report(job, hold, of.client))
    await journal.recordHold({ ...hold, ...(token ? { token } : {}) }, environment.record)
    const until = new Date(hold.until).toISOString().replace(/T(\d\d:\d\d).*/, ' $1 UTC')
    log.plain(`The job is held until ${until}: ${interior.name}`)
    await this.start({ journal, interior, cleanUp, ...of, logger: this.loggerOf(journal) })
    return true
  }

  /** Reports a hold to the coordinator. If that fails, or the coordinator does not support holds, the job is held nevertheless. */
  private async report(
    { journal, environment }: EndedJob,
    { until, latest }: RecordedHold,
    client: HoldClient,
  ): Promise<string | undefined> {
    const { payload } = journal.job
    if (!payload.features?.job_holds) return undefined
    const now = Date.now()
    const reported = {
      place: environment.interior?.name.slice(0, 255) ?? '',
      hasTerminal: this.hasTerminals,
      seconds: Math.max(0, until - now) / 1000,
      maxSeconds: Math.max(0, latest - now) / 1000,
    }
    try {
      return await client.beginHold(payload, reported)
    } catch (error) {
      this.loggerOf(journal).warn({ err: error }, 'The hold of a job could not be reported')
      return undefined
    }
  }

  private newHold(seconds: number): RecordedHold {
    const { maxSeconds, keepsSlot } = this.settings
    const since = Date.now()
    return { since, until: since + seconds * 1000, latest: since + maxSeconds * 1000, keepsSlot }
  }

  /** Loaded with the first held job, to save memory in idle runners. */
  private async start(parts: HeldJobParts): Promise<HeldJob> {
    const { HeldJob } = await import('./held-job.js')
    const held = new HeldJob(parts)
    this.held.add(held)
    this.taken.add(parts.journal)
    if (!this.watching) void this.watchDisk()
    void held.ended.then(() => this.remove(held))
    void this.follow(parts, held)
    if (this.isClosed) void held.end('stopping')
    return held
  }

  private async follow({ journal, client, logger }: HeldJobParts, held: HeldJob): Promise<void> {
    const token = journal.hold?.token
    if (token === undefined) return
    const { followHold } = await import('./hold-link.js')
    const following = followHold({ client, token, logger }, held)
    this.following.add(following)
    await following.finally(() => this.following.delete(following))
  }

  private remove(held: HeldJob): void {
    this.held.delete(held)
    this.taken.delete(held.journal)
    if (this.held.size === 0) this.watching?.abort()
  }

  /** Ends the oldest hold while the disk has too little space. */
  private async watchDisk(): Promise<void> {
    const watching = new AbortController()
    this.watching = watching
    await pause(DISK_INTERVAL, watching.signal)
    while (!watching.signal.aborted) {
      await this.checkDisk()
      await pause(DISK_INTERVAL, watching.signal)
    }
    this.watching = undefined
    if (this.held.size > 0) void this.watchDisk()
  }

  /** Public for tests. */
  async checkDisk(): Promise<void> {
    const free = await this.freeBytes()
    if (free === undefined || free >= this.settings.minFreeBytes) return
    const [oldest] = [...this.held].sort((a, b) => a.view.since.getTime() - b.view.since.getTime())
    await oldest?.end('disk')
  }

  private async freeBytes(): Promise<number | undefined> {
    const { freeBytes, dataDir, logger } = this.options
    try {
      return freeBytes ? await freeBytes() : (await diskOf(dataDir))?.freeBytes
    } catch (error) {
      logger.warn({ err: error }, 'The disk of held jobs cannot be measured')
      return undefined
    }
  }

  private loggerOf({ job }: JobJournal): Logger {
    return this.options.logger.child({ job: job.payload.id })
  }
}
