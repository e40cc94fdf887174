import { messageOf } from '../lib/errors.js'
import type { Logger } from '../lib/logger.js'
import { CoordinatorClient } from './client.js'
import type { RunnerEntry, RunnerSettings } from './config/settings.js'
import type { Executor } from './executor/executor.js'
import { JOB_TIMINGS, type JobTimings } from './job/job-context.js'
import { runJob, type RunnerSignals } from './job/run-job.js'
import type { ReceivedJob } from './job-answer.js'
import { JobNumbers } from './job-numbers.js'
import type { JobSlots } from './job-slots.js'
import { Poller } from './poller.js'
import { refuseJob } from './refuse-job.js'
import type { WorkspaceProvider } from './workspace/workspace.js'
import { workspaceFolder } from './workspace-folder.js'

/** Makes the parts that differ between kinds of runners. */
export interface RunnerParts {
  executor(entry: RunnerEntry, settings: RunnerSettings, logger: Logger): Executor
  workspaces(folder: string, logger: Logger): WorkspaceProvider
  /** What the machine needs before the first job; called once. */
  prepareHost?(settings: RunnerSettings, logger: Logger): Promise<void>
  timings?: JobTimings
}

export interface RegisteredRunnerOptions {
  entry: RunnerEntry
  settings: RunnerSettings
  parts: RunnerParts
  slots: JobSlots
  temporaryDir: string
  signals: RunnerSignals
  logger: Logger
}

/** One `[[runners]]` entry at work: its client, its executor and its poller. */
export class RegisteredRunner {
  readonly client: CoordinatorClient
  private readonly executor: Executor
  private readonly workspaces: WorkspaceProvider
  private readonly poller: Poller
  private readonly numbers = new JobNumbers()
  private readonly logger: Logger

  constructor(private readonly options: RegisteredRunnerOptions) {
    const { entry, settings, parts, slots } = options
    this.logger = options.logger.child({ runner: entry.name })
    this.client = new CoordinatorClient({
      url: entry.url,
      token: entry.token,
      systemId: settings.systemId,
      executor: 'docker',
      tls: entry.tls,
    })
    this.executor = parts.executor(entry, settings, this.logger)
    this.workspaces = parts.workspaces(workspaceFolder(settings.dataDir, entry), this.logger)
    this.poller = new Poller({
      entry,
      client: this.client,
      slots,
      checkInterval: settings.checkIntervalSeconds * 1000,
      dispatch: (job) => this.handle(job),
      logger: this.logger,
    })
  }

  /** Works until `polling` aborts; resolves when no request is open, while jobs may still run. */
  async run(polling: AbortSignal): Promise<void> {
    try {
      await this.executor.removeLeftovers()
    } catch (error) {
      this.logger.warn({ err: error }, 'What an earlier runner left behind could not be removed')
    }
    await this.poller.run(polling)
  }

  private async handle(received: ReceivedJob): Promise<void> {
    const { client, logger } = this
    if (received.kind === 'unreadable') {
      await refuseJob({ client, logger }, received, `this runner cannot read the job: ${received.problem}`)
      return
    }
    try {
      await this.runJob(received)
    } catch (error) {
      await refuseJob({ client, logger }, received.payload, messageOf(error))
    }
  }

  private async runJob({ payload }: ReceivedJob & { kind: 'job' }): Promise<void> {
    const { entry, settings, temporaryDir, signals, parts } = this.options
    const { project_id, project_name, name } = payload.job_info
    const number = this.numbers.take(project_id)
    const logger = this.logger.child({ job: payload.id })
    logger.info({ project: project_name, name }, 'Job received')
    try {
      const deps = {
        entry,
        systemId: settings.systemId,
        client: this.client,
        executor: this.executor,
        workspaces: this.workspaces,
        temporaryDir,
        logger,
        timings: parts.timings ?? JOB_TIMINGS,
      }
      const end = await runJob(deps, { payload, ...number }, signals)
      logger.info({ outcome: end.kind }, 'Job ended')
    } finally {
      number.release()
    }
  }
}
