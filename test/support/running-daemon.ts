import { EventEmitter, once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { pino } from 'pino'

import { SettingsFile } from '../../src/runner/config/settings-file.js'
import type { RunnerSettings } from '../../src/runner/config/settings.js'
import { type Daemon, startDaemon } from '../../src/runner/daemon.js'
import { createMetrics } from '../../src/runner/metrics/metrics.js'
import { onFinished } from './lifetime.js'
import { LocalExecutor, LocalWorkspaces } from './local-executor.js'
import { MisbehavingCoordinator } from './misbehaving-coordinator.js'
import { QUICK_TIMINGS } from './quick-timings.js'
import { tempDir } from './temp-dir.js'

/** The log of the daemon. */
class RecordedLog {
  readonly messages: string[] = []
  private readonly events = new EventEmitter()

  write(line: string): void {
    this.messages.push((JSON.parse(line) as { msg: string }).msg)
    this.events.emit('line')
  }

  /** Resolves once a message contains `text`. */
  async until(text: string): Promise<void> {
    while (!this.messages.some((message) => message.includes(text))) await once(this.events, 'line')
  }
}

export interface DaemonUnderTest {
  coordinator: MisbehavingCoordinator
  executor: LocalExecutor
  daemon: Daemon
  directory: string
  dataDir: string
  configFile: string
  log: RecordedLog
  /** Writes the settings file, without a signal to the daemon. */
  configure(text: string): Promise<void>
}

export interface DaemonTestOptions {
  overrides?: Partial<RunnerSettings>
  environment?: NodeJS.ProcessEnv
  /** Whether the file is polled; otherwise it is read only on `reload`. */
  watches?: boolean
  directory?: string
  coordinator?: MisbehavingCoordinator
}

/** The text of a settings file with these entries. */
export function configText(url: string, entries: Record<string, unknown>[] = [{}], head = ''): string {
  const tables = entries.map((entry, index) => {
    const keys = { name: `entry-${index}`, url, token: 'glrt-runner-token', executor: 'docker', ...entry }
    const lines = Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    return `[[runners]]\n${lines.join('\n')}\n[runners.docker]\nimage = "busybox"\n`
  })
  return `${head}\n${tables.join('\n')}`
}

/** A daemon with a scripted coordinator, and jobs on this machine; stopped when the test has finished. */
export async function daemonUnderTest(
  text: (url: string) => string = (url) => configText(url),
  options: DaemonTestOptions = {},
): Promise<DaemonUnderTest> {
  const directory = options.directory ?? (await tempDir())
  const coordinator = options.coordinator ?? (await MisbehavingCoordinator.start())
  if (!options.coordinator) onFinished(() => coordinator.stop())
  const configFile = join(directory, 'config.toml')
  const dataDir = join(directory, 'data')
  const configure = (changed: string) => writeFile(configFile, `data_dir = "${dataDir}"\n${changed}`)
  await configure(text(coordinator.url))
  const file = new SettingsFile(configFile, { checkIntervalSeconds: 0.02, ...options.overrides })
  const { settings } = await file.read()
  const metrics = settings.listen ? createMetrics() : undefined
  const log = new RecordedLog()
  const logger = pino({ level: 'info' }, log)
  const executor = new LocalExecutor()
  const workspaces = new LocalWorkspaces(join(directory, 'builds'))
  const daemon = await startDaemon({
    file,
    settings,
    logger,
    metrics,
    environment: options.environment ?? {},
    parts: {
      executor: () => executor,
      workspaces: () => workspaces,
      timings: QUICK_TIMINGS,
    },
    checkInterval: options.watches ? 20 : 3_600_000,
  })
  onFinished(async () => {
    await daemon.runner.stopNow('end of the test')
    await daemon.finished
  })
  return { coordinator, executor, daemon, directory, dataDir, configFile, log, configure }
}
