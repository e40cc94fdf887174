import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Logger } from '../../../lib/logger.js'
import { tokenDigest } from '../../../lib/tokens.js'
import type { JobPayload } from '../../../protocol/job-payload.js'
import { createCacheStores } from '../../../runner/cache/cache-stores.js'
import type { JobClient } from '../../../runner/client/coordinator-client.js'
import { readSettings } from '../../../runner/config/read-settings.js'
import type { RunnerRegistration, RunnerSettings } from '../../../runner/config/settings.js'
import type { Executor } from '../../../runner/executor/executor.js'
import { JOB_TIMINGS } from '../../../runner/job/job-context.js'
import { Journals } from '../../../runner/job/journal/journals.js'
import { runJob, type RunnerSignals } from '../../../runner/job/run-job.js'
import { abandonedFolders, openTemporaryFolder } from '../../../runner/job/temporary-folder.js'
import { DEFAULT_RUNTIME } from '../../../runner/registrations/default-runtime.js'
import { JobNumbers } from '../../../runner/registrations/job-numbers.js'
import type { WorkspaceProvider } from '../../../runner/workspace/workspace.js'

export interface LocalRunnerOptions {
  /** Folder for caches, which are kept between runs, and for the files of running jobs. */
  dataDir: string
  /** For jobs that name no image. */
  image: string
  privileged: boolean
  /** Whether to check the registry for images that exist locally. */
  pull: boolean
  /** Distinguishes concurrent runs. */
  token: string
  /** Git directory that the sources are fetched from. */
  repository: string
  /** URL of the server in the variables of jobs. No server runs there. */
  url: string
}

export const RUNNER_NAME = 'switchyard local'
const SYSTEM_ID = 'local'
const TOKEN_FILE = 'runner-token'
/**
 * The output of a stage is shown at once, because the user reads along. There are no timeouts, because no server
 * can be unavailable.
 */
const TIMINGS = { ...JOB_TIMINGS, liveAfter: 0, silenceTimeout: 0 }

/** Creates the folder of one run. First removes the leftovers of killed runs, here and in the engine. */
export async function openRunFolder(
  options: Omit<LocalRunnerOptions, 'repository'>,
  logger: Logger,
): Promise<string> {
  const { dataDir } = options
  for (const abandoned of await abandonedFolders(dataDir)) {
    // killed before it wrote the file
    const token = await readFile(join(abandoned, TOKEN_FILE), 'utf8').catch(() => undefined)
    if (token === undefined) continue
    const registration = entryOf({ ...options, token, repository: '' })
    await executorOf(registration, dataDir, logger).removeLeftovers(new Set())
  }
  const folder = await openTemporaryFolder(dataDir)
  await writeFile(join(folder, TOKEN_FILE), options.token, { mode: 0o600 })
  return folder
}

/** The parts of the runner, for jobs of this process only. */
export class LocalRunner {
  private readonly registration: RunnerRegistration
  private readonly executor: Executor
  private readonly workspaces: WorkspaceProvider
  private readonly journals: Journals
  private readonly numbers = new JobNumbers()

  /** `folder` is that of the run. */
  constructor(
    private readonly options: LocalRunnerOptions,
    private readonly folder: string,
    private readonly logger: Logger,
  ) {
    this.registration = entryOf(options)
    this.executor = executorOf(this.registration, options.dataDir, logger)
    this.workspaces = DEFAULT_RUNTIME.workspaces(join(folder, 'workspaces'), logger)
    this.journals = new Journals(folder, logger)
  }

  /** Throws an `ExecutorError` if no engine responds. */
  async open(): Promise<void> {
    await this.executor.ping()
    await this.journals.open()
  }

  /** Runs one job, from its payload until the client has its result. */
  async perform(payload: JobPayload, client: JobClient, signals: RunnerSignals): Promise<void> {
    const { registration, executor, workspaces, logger } = this
    const { dataDir, url, token } = this.options
    const { release, ...numbers } = this.numbers.take(payload.job_info.project_id)
    const temporaryDir = join(this.folder, 'downloads')
    await mkdir(temporaryDir, { recursive: true })
    try {
      const runner = { url, runner: registration.name, tokenDigest: tokenDigest(token) }
      const journal = await this.journals.begin({ ...runner, payload, receivedAt: Date.now(), ...numbers })
      const caches = createCacheStores({ registration, dataDir, temporaryDir, client })
      const runtime = { systemId: SYSTEM_ID, temporaryDir, timings: TIMINGS }
      await runJob(
        { registration, client, executor, workspaces, caches, logger, ...runtime },
        journal,
        signals,
      )
    } finally {
      release()
    }
  }

  /** Removes everything from the engine. Call it when no job runs. */
  async close(): Promise<void> {
    await this.executor.removeLeftovers(new Set())
  }
}

function executorOf(registration: RunnerRegistration, dataDir: string, logger: Logger): Executor {
  return DEFAULT_RUNTIME.executor(registration, settingsOf(registration, dataDir), logger)
}

function settingsOf(registration: RunnerRegistration, dataDir: string): RunnerSettings {
  const { settings } = readSettings({}, RUNNER_NAME, {})
  return { ...settings, dataDir, systemId: SYSTEM_ID, runners: [registration] }
}

/** Built like a `config.toml`, so that all other settings have the runner's defaults. */
function entryOf({
  image,
  privileged,
  pull,
  token,
  url,
  repository,
}: LocalRunnerOptions): RunnerRegistration {
  const policies = ['if-not-present', 'always', 'never']
  const docker = {
    image,
    privileged,
    allowed_pull_policies: policies,
    pull_policy: pull ? 'always' : 'if-not-present',
  }
  // There is no server for the files of Git LFS. Without this setting, the checkout would fail.
  const environment = ['GIT_LFS_SKIP_SMUDGE=1']
  const workspace = workspaceKind()
  const table = { name: RUNNER_NAME, url, token, executor: 'docker', docker, workspace, environment }
  const { settings } = readSettings({ runners: [table] }, RUNNER_NAME, {})
  const [registration] = settings.runners
  if (!registration) throw new Error('The settings of the local runner contain no registration')
  return { ...registration, repository }
}

/**
 * Only root could remove the files that a container creates as root in a shared folder. Other users get volumes.
 */
function workspaceKind(): 'auto' | 'volume' {
  return process.getuid?.() === 0 ? 'auto' : 'volume'
}
