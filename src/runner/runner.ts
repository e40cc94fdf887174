import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { SwitchyardError } from '../lib/errors.js'
import type { Logger } from '../lib/logger.js'
import { pause } from '../lib/pause.js'
import type { RunnerSettings } from './config/settings.js'
import { blockMetadataAddresses } from './executor/docker/block-metadata.js'
import { isEngineLocal } from './executor/docker/connect-engine.js'
import { createDockerExecutor } from './executor/docker/docker-executor.js'
import { JobSlots } from './job-slots.js'
import { Journals } from './journal/journals.js'
import { giveUp, shareOut } from './orphaned-jobs.js'
import { RegisteredRunner, type RunnerParts } from './registered-runner.js'
import { shortToken } from './short-token.js'
import { openTemporaryFolder } from './temporary-folder.js'
import { createWorkspaceProvider } from './workspace/workspace-provider.js'

/** A runner at work: one process, any number of registered entries. */
export interface Runner {
  /** Takes no more jobs; resolves when those that run have ended, however long that takes. */
  stopGracefully(): Promise<void>
  /**
   * Takes no more jobs and resolves at once, so that the process can end: its jobs run on in their containers, and the
   * next process goes on with them.
   */
  leave(): Promise<void>
  /**
   * Ends the running jobs, which fail as "aborted: <reason>", and resolves when they are reported and cleaned up. After
   * the shutdown timeout it gives up and throws `ShutdownTimeoutError`.
   */
  stopNow(reason: string): Promise<void>
  /** Resolves when the runner has stopped, in whichever way. */
  readonly finished: Promise<void>
}

/** Jobs did not end in time; their containers, or their results, may be left. */
export class ShutdownTimeoutError extends SwitchyardError {
  readonly name = 'ShutdownTimeoutError'
  readonly code = 'SHUTDOWN_TIMEOUT'

  constructor(seconds: number) {
    super(`Not all jobs ended within ${seconds} seconds`)
  }
}

export const DOCKER_PARTS: RunnerParts = {
  executor: (entry, settings, logger) =>
    createDockerExecutor(
      {
        ...entry.docker,
        runnerShortToken: shortToken(entry.token),
        systemId: settings.systemId,
        authConfig: entry.environment.findLast(({ key }) => key === 'DOCKER_AUTH_CONFIG')?.value,
        privateImagesDir: join(settings.dataDir, 'private-images'),
        workspace: entry.workspace ?? 'auto',
        sharedDir: settings.dataDir,
      },
      logger,
    ),
  prepareHost: prepareDockerHost,
  workspaces: (root) => createWorkspaceProvider({ root }),
}

/** Once for the machine: the entries may share its engine. */
async function prepareDockerHost(settings: RunnerSettings, logger: Logger): Promise<void> {
  if (!settings.blockMetadataAddresses) return
  const isLocal = settings.runners.some(({ docker }) => isEngineLocal(docker))
  const isRoot = process.getuid?.() === 0
  await blockMetadataAddresses({ platform: process.platform, isRoot, isEngineLocal: isLocal }, logger)
}

/** Starts asking for jobs, for every entry of the settings. */
export async function startRunner(
  settings: RunnerSettings,
  logger: Logger,
  parts: RunnerParts = DOCKER_PARTS,
): Promise<Runner> {
  const temporaryDir = await openTemporaryFolder(settings.dataDir)
  await parts.prepareHost?.(settings, logger)
  const polling = new AbortController()
  const shutdown = new AbortController()
  const exit = new AbortController()
  const slots = new JobSlots(settings.concurrent)
  const journals = new Journals(settings.dataDir, logger)
  const unfinished = await journals.open()
  const signals = { shutdown: shutdown.signal, exit: exit.signal }
  const runners = settings.runners.map(
    (entry) =>
      new RegisteredRunner({ entry, settings, parts, slots, journals, temporaryDir, signals, logger }),
  )
  logger.info({ runners: runners.length, concurrent: settings.concurrent }, 'Runner started')
  const asking = askUntilStopped()
  const finished = workUntilStopped()

  async function askUntilStopped(): Promise<void> {
    const shares = shareOut(unfinished, settings.runners)
    await Promise.all([
      giveUp(shares.get(undefined) ?? [], settings, logger),
      ...runners.map((runner) => runner.run(polling.signal, shares.get(runner.entry) ?? [])),
    ])
  }

  async function workUntilStopped(): Promise<void> {
    await asking
    await slots.idle()
    await Promise.all(runners.map((runner) => runner.client.close()))
    await rm(temporaryDir, { recursive: true, force: true })
    logger.info('Runner stopped')
  }

  async function leave(): Promise<void> {
    polling.abort()
    await asking
    logger.info({ jobs: slots.taken }, 'Runner leaves its jobs to the next process')
  }

  async function stopGracefully(): Promise<void> {
    polling.abort()
    await finished
  }

  async function stopNow(reason: string): Promise<void> {
    polling.abort()
    shutdown.abort(reason)
    const isOver = new AbortController()
    const timeout = pause(settings.shutdownTimeoutSeconds * 1000, isOver.signal).then(
      () => 'timeout' as const,
    )
    const ended = await Promise.race([finished, timeout])
    isOver.abort()
    if (ended !== 'timeout') return
    exit.abort()
    await Promise.all(runners.map((runner) => runner.client.destroy()))
    throw new ShutdownTimeoutError(settings.shutdownTimeoutSeconds)
  }

  return { stopGracefully, leave, stopNow, finished }
}
