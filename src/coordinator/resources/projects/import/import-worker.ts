import PQueue from 'p-queue'

import { type Logger } from '../../../../lib/logger.js'
import { ScheduleTimer } from '../../../schedule-timer.js'
import { findProject } from '../store.js'
import { type FillDeps, fillRepository } from './fill-repository.js'
import { ImportError } from './import-error.js'
import { claimImport, failImport, findImports, finishImport, type Import, keepClaim } from './import-store.js'

export interface ImportWorkerDeps extends FillDeps {
  logger: Logger
  /** Called when a repository is filled. */
  onFilled: (projectId: number) => void
}

const AT_ONCE = 2
/** How long a coordinator that says nothing is believed to be alive, and how often one says so. Milliseconds. */
const BELIEVED = 60 * 1000
const SAID_EVERY = 20 * 1000
/** How long one import may take. Milliseconds. */
const LONGEST = 2 * 3600 * 1000

/**
 * Fills the repositories of forks and imports. What is to be done stands in the store: what a coordinator leaves that
 * dies, any other takes up once its claim is over.
 *
 *     wake, a claim is over, or a minute ──▶ look: each import that nobody has claimed ──▶ claim ──▶ copy ──▶ settle
 */
export class ImportWorker {
  private readonly queue = new PQueue({ concurrency: AT_ONCE })
  private readonly underWay = new Set<number>()
  private readonly timer: ScheduleTimer
  private stopping: AbortSignal = new AbortController().signal

  constructor(private readonly deps: ImportWorkerDeps) {
    this.timer = new ScheduleTimer({ of: 'Imports', startDue: () => this.look(), logger: deps.logger })
  }

  /** Something has been left to be done. */
  wake(): void {
    this.timer.note(0)
  }

  /** Ends when `signal` aborts; what is under way then is given back for the next start. */
  async run(signal: AbortSignal): Promise<void> {
    this.stopping = signal
    await this.timer.run(signal)
    this.queue.clear()
    await this.queue.onIdle()
  }

  /** Starts what there is to do; answers when the first claim of another is over. */
  private async look(): Promise<number | undefined> {
    const claims: number[] = []
    for (const wanted of await findImports(this.deps.database)) {
      if (this.underWay.has(wanted.id)) continue
      if (wanted.claimed_until !== null && wanted.claimed_until >= Date.now()) {
        claims.push(wanted.claimed_until + 1)
        continue
      }
      this.underWay.add(wanted.id)
      void this.queue.add(() => this.perform(wanted))
    }
    return claims.length === 0 ? undefined : Math.min(...claims)
  }

  /** Never rejects. */
  private async perform(wanted: Import): Promise<void> {
    const { deps } = this
    try {
      if (!(await claimImport(deps.database, wanted, Date.now() + BELIEVED))) return
      await this.fill(wanted)
    } catch (error) {
      deps.logger.error({ err: error, project: wanted.project_id }, 'An import is left for later')
    } finally {
      this.underWay.delete(wanted.id)
    }
  }

  private async fill(wanted: Import): Promise<void> {
    const { database, onFilled } = this.deps
    const keep = setInterval(() => this.stayAlive(wanted), SAID_EVERY)
    try {
      const signal = AbortSignal.any([this.stopping, AbortSignal.timeout(LONGEST)])
      await fillRepository(this.deps, wanted, signal)
      if (await finishImport(database, wanted)) onFilled(wanted.project_id)
      else await this.cleanUp(wanted)
    } catch (error) {
      if (this.stopping.aborted) await keepClaim(database, wanted.id, null)
      else await this.fail(wanted, error)
    } finally {
      clearInterval(keep)
    }
  }

  private stayAlive({ id, project_id }: Import): void {
    keepClaim(this.deps.database, id, Date.now() + BELIEVED).catch((error: unknown) => {
      this.deps.logger.warn({ err: error, project: project_id }, 'An import may be taken for abandoned')
    })
  }

  /** The project stays, with a repository that can be pushed to. */
  private async fail(wanted: Import, error: unknown): Promise<void> {
    const { database, repositories, logger } = this.deps
    logger.warn({ err: error, project: wanted.project_id }, 'An import failed')
    await repositories.create(wanted.project_id)
    const reason = error instanceof ImportError ? error.message : 'The repository could not be copied'
    if (!(await failImport(database, wanted, reason.slice(0, 500)))) await this.cleanUp(wanted)
  }

  /** A project that was deleted meanwhile has had its files removed before these were there. */
  private async cleanUp({ project_id }: Import): Promise<void> {
    const { database, repositories } = this.deps
    if (!(await findProject(database, project_id))) await repositories.delete(project_id)
  }
}
