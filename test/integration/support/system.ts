import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runnerCommand } from '../../../src/cli/commands/runner/index.js'
import { startCoordinator } from '../../../src/coordinator/coordinator.js'
import type { DatabaseSettings } from '../../../src/coordinator/database/connect.js'
import { readCoordinatorSettings } from '../../../src/coordinator/start/config/settings.js'
import { createLogger } from '../../../src/lib/logger.js'
import { copyMigratedStore } from '../../support/databases.js'
import { busyboxImage } from '../../support/docker-image.js'
import { freePort } from '../../support/free-port.js'
import { SERVER_HOST } from '../../support/server-host.js'
import { Api } from './api.js'
import { expectNoLeftovers } from './leftovers.js'
import { type RunningProcess, startSwitchyard, SWITCHYARD } from './processes.js'
import { runInProcess } from './run-in-process.js'
import { TestProject } from './test-project.js'
import { until } from './until.js'

/** No time to drain and short leases, so that others take over soon, and no limit on pipelines. */
const TEST_SETTINGS = {
  SWITCHYARD_DRAIN_SECONDS: '0',
  SWITCHYARD_LEASE_FIRST_CONTACT_SECONDS: '3',
  SWITCHYARD_PIPELINES_MAX_PER_MINUTE: '0',
}
const ADMIN_TOKEN = 'integration-administrator-token'

/** A coordinator and its runners, by default each a process of its own as in production, on loopback and in a temporary folder. */
export class System {
  api: Api
  private coordinator: Pick<RunningProcess, 'kill' | 'log'> | undefined
  /** By address. */
  private readonly otherCoordinators = new Map<string, RunningProcess>()
  private readonly runners: RunningProcess[] = []
  /** The settings of the runners. */
  private readonly configs: string[] = []
  private projects = 0
  /** The entry point of the next processes. */
  program = SWITCHYARD

  private constructor(
    readonly directory: string,
    private readonly port: number,
    readonly image: string,
    private readonly database: DatabaseSettings | undefined,
    /** Settings of the coordinators. */
    private environment: Record<string, string>,
  ) {
    this.api = new Api(this.url, ADMIN_TOKEN)
  }

  /** Of the first coordinator. */
  get url(): string {
    return `http://${SERVER_HOST}:${this.port}`
  }

  /** On PostgreSQL if `database` is one, else on the embedded default. */
  static async start(
    database?: DatabaseSettings,
    environment: Record<string, string> = {},
    program = SWITCHYARD,
  ): Promise<System> {
    const system = await System.prepare(database, environment)
    system.program = program
    try {
      await system.startCoordinator()
    } catch (error) {
      await system.stop() // the caller has nothing to stop
      throw error
    }
    return system
  }

  /** The coordinator runs in the process of the test, where it starts sooner. For tests that do not kill it. */
  static async startInProcess(): Promise<System> {
    const system = await System.prepare(undefined, {})
    const settings = readCoordinatorSettings(
      { listen: `${SERVER_HOST}:${system.port}`, data_dir: join(system.directory, 'coordinator') },
      TEST_SETTINGS,
    )
    const secrets = { adminToken: ADMIN_TOKEN }
    const coordinator = await startCoordinator(settings, createLogger('test', 'silent'), secrets)
    system.coordinator = { kill: () => coordinator.stop(), log: () => '' }
    return system
  }

  private static async prepare(
    database: DatabaseSettings | undefined,
    environment: Record<string, string>,
  ): Promise<System> {
    const directory = await mkdtemp(join(tmpdir(), 'switchyard-integration-'))
    if (database?.dialect !== 'postgres') await copyMigratedStore(join(directory, 'coordinator'))
    return new System(directory, await freePort(), await busyboxImage(), database, environment)
  }

  /** @param environment settings from now on; by default those of before */
  async startCoordinator(environment = this.environment): Promise<void> {
    this.environment = environment
    this.coordinator = this.spawnCoordinator(this.port)
    await this.ready(this.url)
  }

  /** Starts another process on the same store, and on the same folder unless they share only a part of it. Returns its URL. */
  async startSecondCoordinator(): Promise<string> {
    const port = await freePort()
    const url = `http://${SERVER_HOST}:${port}`
    this.otherCoordinators.set(url, this.spawnCoordinator(port))
    await this.ready(url)
    return url
  }

  /** The next calls, projects and runners use this address of a proxy. */
  useProxy(url: string): void {
    this.api = new Api(url, ADMIN_TOKEN)
  }

  /** Restarts the coordinator with this URL; it is ready when this returns. */
  async restart(url: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const other = this.otherCoordinators.get(url)
    await (other ?? this.coordinator)?.kill(signal)
    const restarted = this.spawnCoordinator(Number(new URL(url).port))
    if (other) this.otherCoordinators.set(url, restarted)
    else this.coordinator = restarted
    await this.ready(url)
  }

  async killCoordinator(): Promise<void> {
    await this.coordinator?.kill('SIGKILL')
  }

  /** Registers a runner and starts its daemon. */
  async startRunner(
    options: {
      url?: string
      tags?: string[]
      runUntagged?: boolean
      concurrent?: number
      /** More flags of `register`; they take precedence. */
      flags?: string[]
      /** `default`: the runner's own choice. */
      networkMode?: 'host' | 'default'
    } = {},
  ): Promise<void> {
    const config = join(this.directory, `runner-${this.runners.length}.toml`)
    const token = await readFile(join(this.directory, 'coordinator', 'runner-registration-token'), 'utf8')
    const result = await runInProcess(runnerCommand, [
      'register',
      '--non-interactive',
      '--config',
      config,
      '--url',
      options.url ?? this.api.url,
      '--registration-token',
      token.trim(),
      '--executor',
      'docker',
      '--docker-image',
      this.image,
      '--docker-pull-policy',
      'if-not-present',
      ...(options.networkMode === 'default' ? [] : ['--docker-network-mode', 'host']),
      '--name',
      `runner-${this.runners.length}`,
      ...(options.tags ? ['--tag-list', options.tags.join(',')] : []),
      ...(options.runUntagged === false ? [] : ['--run-untagged']),
      ...(options.flags ?? []),
    ])
    if (result.exitCode !== 0) throw new Error(`register failed: ${result.stdout}${result.stderr}`)
    await setConcurrent(config, options.concurrent ?? 1)
    await this.spawnNextRunner(config)
  }

  /** Starts another daemon with the settings and the token of the last runner, and a system ID of its own. */
  async startReplica(): Promise<void> {
    // The system ID is beside the settings.
    const folder = join(this.directory, `replica-${this.runners.length}`)
    await mkdir(folder)
    await copyFile(this.configs.at(-1) ?? '', join(folder, 'config.toml'))
    await this.spawnNextRunner(join(folder, 'config.toml'))
  }

  /** Sends a signal to the runner that was started last, and waits until it has ended. */
  async stopRunner(signal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    await this.runners.at(-1)?.kill(signal)
  }

  /** Restarts the last daemon. Resolves when it handles signals, which may be before its first job request. */
  async restartRunner(): Promise<void> {
    const last = this.runners.length - 1
    const runner = this.spawnRunner(last)
    this.runners[last] = runner
    await runner.logContaining('Runner starts')
  }

  /** Of the daemons, in the order they were started. */
  runnerPids(): number[] {
    return this.runners.flatMap(({ child }) => child.pid ?? [])
  }

  async createProject(): Promise<TestProject> {
    const record = await this.api.createProject(`project-${++this.projects}`)
    return TestProject.create(this, record)
  }

  /** Stops everything in order and removes all files. Fails if a job left something at the engine. */
  async stop(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.kill('SIGQUIT')))
    for (const other of this.otherCoordinators.values()) await other.kill('SIGTERM')
    await this.coordinator?.kill('SIGTERM')
    await rm(this.directory, { recursive: true, force: true })
    await expectNoLeftovers(this.api.url)
  }

  log(): string {
    const logs = [this.coordinator, ...this.otherCoordinators.values(), ...this.runners].map(
      (process) => process?.log() ?? '',
    )
    return logs.join('\n--- next process ---\n')
  }

  private async spawnNextRunner(config: string): Promise<void> {
    this.configs.push(config)
    const runner = this.spawnRunner(this.runners.length)
    this.runners.push(runner)
    await runner.logContaining('Runner starts')
  }

  private spawnRunner(index: number): RunningProcess {
    const config = this.configs[index] ?? ''
    const dataDir = join(this.directory, `runner-data-${index}`)
    const environment = { SWITCHYARD_RUNNER_DATA_DIR: dataDir }
    return startSwitchyard(['runner', 'run', '--config', config], environment, this.program)
  }

  private spawnCoordinator(port: number): RunningProcess {
    const isOther = port !== this.port && this.environment['SWITCHYARD_SHARED_DIR'] !== undefined
    const dataDir = join(this.directory, isOther ? `coordinator-${port}` : 'coordinator')
    const databaseUrl = this.database?.dialect === 'postgres' ? ['--database-url', this.database.url] : []
    return startSwitchyard(
      ['coordinator', '--listen', `${SERVER_HOST}:${port}`, '--data-dir', dataDir, ...databaseUrl],
      { SWITCHYARD_ADMIN_TOKEN: ADMIN_TOKEN, ...TEST_SETTINGS, ...this.environment },
      this.program,
    )
  }

  private async ready(url: string): Promise<void> {
    await until(
      'the coordinator to be ready',
      () => isReady(url),
      () => this.log(),
    )
  }
}

async function isReady(url: string): Promise<true | undefined> {
  try {
    const response = await fetch(`${url}/-/readiness`)
    await response.arrayBuffer()
    return response.ok ? true : undefined
  } catch {
    return undefined // it does not listen yet
  }
}

/** A global setting without a flag. */
async function setConcurrent(config: string, concurrent: number): Promise<void> {
  const text = await readFile(config, 'utf8')
  await writeFile(config, text.replace(/^concurrent = \d+/m, `concurrent = ${concurrent}`))
}
