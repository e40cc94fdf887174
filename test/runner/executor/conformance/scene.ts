import { randomBytes } from 'node:crypto'
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type Docker from 'dockerode'
import { stringify } from 'smol-toml'

import { extractZip } from '../../../../src/archive/extract-zip.js'
import { isRecord } from '../../../../src/lib/is-record.js'
import { createLogger } from '../../../../src/lib/logger.js'
import type { JobPayload } from '../../../../src/protocol/job-payload.js'
import { loadSettings } from '../../../../src/runner/config/load-settings.js'
import { type Runner, startRunner } from '../../../../src/runner/runner.js'
import { startSwitchyard } from '../../../integration/support/processes.js'
import { engineLeftovers } from '../../../support/docker-leftovers.js'
import { jobPayload } from '../../../support/job-payload.js'
import { onFinished } from '../../../support/lifetime.js'
import { MisbehavingCoordinator } from '../../../support/misbehaving-coordinator.js'
import { tempDir } from '../../../support/temp-dir.js'
import { startGitServer } from '../../workspace/git-server.js'
import { BUSYBOX } from './images.js'
import type { Row, RowJob } from './row.js'
import type { RunningTarget } from './target.js'

const ESCAPE = String.fromCharCode(27)
/** The escape sequences and section marks of the runner in a log. */
const DECORATION = new RegExp(
  String.raw`${ESCAPE}\[[0-9;]*[Km]|section_(?:start|end):\d+:\w+(?:\[[^\]]*\])?\r`,
  'g',
)
const CONFIG = 'config.toml'

/** The runner and the coordinator of one row. */
export class RowScene {
  private runner: Runner | undefined
  private process: ReturnType<typeof startSwitchyard> | undefined
  private git: Pick<JobPayload, 'git_info' | 'allow_git_fetch'> | undefined

  private constructor(
    readonly coordinator: MisbehavingCoordinator,
    readonly directory: string,
    readonly target: RunningTarget,
    private readonly row: Row,
  ) {}

  static async open(target: RunningTarget, row: Row): Promise<RowScene> {
    const coordinator = await MisbehavingCoordinator.start()
    onFinished(() => coordinator.stop())
    coordinator.traceInterval = 1
    const scene = new RowScene(coordinator, await tempDir(), target, row)
    await scene.prepare()
    return scene
  }

  /** The ID of the system of the runner, which labels all that it creates. */
  get systemId(): string {
    return `s_${this.id}`
  }

  private readonly id = randomBytes(6).toString('hex')

  /** The log of a job without escape sequences. */
  log(jobId: number): string {
    return this.coordinator.trace(jobId).replace(DECORATION, '')
  }

  /** Resolves when the log of the running job contains `text`. */
  async seen(text: string): Promise<void> {
    const { coordinator } = this
    await coordinator.until(() => this.jobIds.some((id) => this.log(id).includes(text)))
  }

  /** Starts the runner in this process. */
  async start(): Promise<void> {
    const { settings } = await loadSettings(join(this.directory, CONFIG))
    this.runner = await startRunner(settings, createLogger('runner', 'silent'))
  }

  /** Starts the runner in a process of its own, which can be killed. */
  startProcess(): void {
    this.process = startSwitchyard(['runner', 'run', '--config', join(this.directory, CONFIG)])
  }

  async killProcess(): Promise<void> {
    await this.process?.kill('SIGKILL')
  }

  /** Stops the runner, and returns what it left at the engines. */
  async stop(): Promise<string[]> {
    await this.runner?.stopNow('end of the row')
    await this.process?.kill('SIGQUIT')
    return await this.leftovers()
  }

  /** The containers, networks and volumes of the runner. */
  async leftovers(): Promise<string[]> {
    const { cluster } = this.target
    if (cluster) return await cluster.leftovers(this.systemId)
    const engines = await this.engines()
    const lists = await Promise.all(engines.map((docker) => engineLeftovers(docker, [this.label])))
    return lists.flat()
  }

  /** Removes what is for the next jobs of a project: volumes, and machines. */
  async removeKept(): Promise<void> {
    for (const docker of await this.engines()) {
      const { Volumes: volumes } = await docker.listVolumes({
        filters: JSON.stringify({ label: [this.label] }),
      })
      await Promise.all(volumes.map(({ Name }) => docker.getVolume(Name).remove({ force: true })))
    }
    await this.target.machines?.removeAll(this.dataFolder)
  }

  /** The engines at which its jobs run. */
  private async engines(): Promise<readonly Docker[]> {
    const { machines, engines } = this.target
    return machines ? await machines.engines(this.dataFolder) : engines
  }

  private get dataFolder(): string {
    return join(this.directory, 'data')
  }

  private get label(): string {
    return `com.gitlab.gitlab-runner.runner.system_id=${this.systemId}`
  }

  /** Removes the containers of the runner, as a user of the engine would. */
  async removeContainers(): Promise<void> {
    const { cluster } = this.target
    if (cluster) await cluster.removePods(this.systemId)
    const filters = { label: [this.label] }
    for (const docker of await this.engines()) {
      const containers = await docker.listContainers({ all: true, filters })
      await Promise.all(containers.map(({ Id }) => docker.getContainer(Id).remove({ force: true })))
    }
  }

  /** Runs a job to its end. */
  async run(job: RowJob, id: number): Promise<void> {
    const { prepare, during, expected: _expected, ...changes } = job
    this.jobIds.push(id)
    prepare?.(this)
    this.coordinator.offer(this.payload({ id, ...changes }))
    await during?.(this)
    await this.coordinator.until(() => this.coordinator.finalUpdate(id) !== undefined)
  }

  private readonly jobIds: number[] = []

  /** The content of the artifact archive of a job, as `Expected.artifact` describes it. */
  async artifact(jobId: number): Promise<Record<string, string>> {
    const upload = this.coordinator.callsOf('upload').find(({ path }) => path.includes(`/jobs/${jobId}/`))
    if (!upload) throw new Error(`Job ${jobId} uploaded no artifact`)
    const zip = join(await tempDir(), 'artifact.zip')
    const folder = await tempDir()
    await writeFile(zip, fileIn(upload.body))
    await extractZip(zip, folder, AbortSignal.timeout(60_000))
    return await readTree(folder)
  }

  private payload(changes: Partial<JobPayload>): JobPayload {
    const wanted = this.target.cluster ? withNumericUsers(changes) : changes
    if (this.git) return jobPayload({ ...this.git, ...wanted })
    const variables = [{ key: 'GIT_STRATEGY', value: 'none' }, ...(wanted.variables ?? [])]
    return jobPayload({ ...wanted, variables })
  }

  private async prepare(): Promise<void> {
    const { target, row, directory, coordinator } = this
    await target.provide([...new Set([BUSYBOX, ...(row.uses ?? [])])])
    if (row.sources !== undefined) this.git = await serveSources(row.sources)
    const image = { image: BUSYBOX, pull_policy: 'if-not-present' }
    const tables = target.cluster
      ? { kubernetes: { ...image, ...target.cluster.settings, ...row.kubernetes } }
      : { docker: { ...image, ...target.docker, ...row.docker } }
    const identity = {
      name: 'conformance',
      url: coordinator.url,
      token: `glrt-${this.id}`,
      executor: target.cluster ? 'kubernetes' : 'docker',
    }
    coordinator.validTokens.add(identity.token)
    const settings = {
      concurrent: 1,
      data_dir: this.dataFolder,
      block_metadata_addresses: false,
      runners: [{ ...identity, ...target.runner, ...row.runner, ...tables }],
    }
    await writeFile(join(directory, CONFIG), stringify(settings))
    await writeFile(join(directory, '.runner_system_id'), this.systemId)
  }
}

/** The numbers of the users of the images of the table. Pods know users by number only. */
const USER_NUMBERS: Record<string, string> = { builder: '1000', root: '0' }

/** The same job with the user that it names in the form for pods. */
function withNumericUsers({ image, services, ...changes }: Partial<JobPayload>): Partial<JobPayload> {
  const numeric = <T extends { executor_opts?: Record<string, unknown> | null }>(of: T): T => {
    const options = of.executor_opts?.['docker']
    if (!isRecord(options) || typeof options['user'] !== 'string') return of
    const { user } = options
    return { ...of, executor_opts: { kubernetes: { user: USER_NUMBERS[user] ?? user } } }
  }
  return {
    ...changes,
    ...(image ? { image: numeric(image) } : {}),
    ...(services ? { services: services.map(numeric) } : {}),
  }
}

async function serveSources(commands: string): Promise<Pick<JobPayload, 'git_info' | 'allow_git_fetch'>> {
  const server = await startGitServer()
  const sha = await server.commit(commands)
  const refspecs = ['+refs/heads/main:refs/remotes/origin/main']
  return { allow_git_fetch: true, git_info: { repo_url: server.repoUrl, ref: 'main', sha, refspecs } }
}

/** The file in a multipart body. */
function fileIn(body: Buffer): Buffer {
  const from = body.indexOf('\r\n\r\n') + 4
  return body.subarray(from, body.lastIndexOf('\r\n--'))
}

async function readTree(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const read = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1)
    if (entry.isSymbolicLink()) return [name, `-> ${await readlink(path)}`]
    return entry.isDirectory() ? [`${name}/`, ''] : [name, await readFile(path, 'utf8')]
  })
  return Object.fromEntries((await Promise.all(read)) as [string, string][])
}
