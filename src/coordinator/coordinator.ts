import { setMaxListeners } from 'node:events'

import type { FastifyInstance } from 'fastify'

import type { Logger } from '../lib/logger.js'
import { performDuty } from './background/periodic-task.js'
import { notePresence } from './ci/queue/presence.js'
import { migrate } from './database/migrate.js'
import { buildApp } from './start/app.js'
import type { ListenAddress } from './start/config/readers.js'
import type { CoordinatorSecrets, CoordinatorSettings } from './start/config/settings.js'
import { openDataFolder } from './start/data-folder.js'
import { ensureAdministrator, ensureRegistrationToken } from './start/first-start.js'
import { cannotListen, fixedAddress, urlOf } from './start/listen.js'
import { listDuties } from './start/periodic-tasks.js'
import { pushDeps } from './start/push-deps.js'
import { createParts, type Parts } from './start/services.js'
import { explainStart } from './start/start-error.js'

export interface Coordinator {
  /** The address it listens on. */
  url: string
  settings: CoordinatorSettings
  /** Path of the administrator's token, when this start has made one up. */
  adminTokenFile: string | undefined
  registrationTokenFile: string
  /**
   * Takes no new request, answers those that wait for a job, finishes the others and closes the store. May be called
   * twice; both end when it is done.
   */
  stop(): Promise<void>
}

/**
 * Starts a coordinator: schema, first administrator, HTTP and the periodic duties. When it returns, requests are
 * answered. Throws when it cannot, having closed what it had opened: `StartError` for what its disk or its database refuses.
 */
export async function startCoordinator(
  settings: CoordinatorSettings,
  logger: Logger,
  secrets: CoordinatorSecrets = {},
): Promise<Coordinator> {
  try {
    return await start(settings, logger, secrets)
  } catch (error) {
    throw explainStart(error, settings)
  }
}

async function start(
  settings: CoordinatorSettings,
  logger: Logger,
  secrets: CoordinatorSecrets,
): Promise<Coordinator> {
  await openDataFolder(settings.dataDir, logger)
  const address = await fixedAddress(settings.listen)
  const parts = await createParts(settings, logger, settings.externalUrl ?? urlOf(address))
  try {
    await migrate(parts.database, settings.database.dialect)
    await notePresence(parts.engine)
    const firstStart = { ...parts, dataDir: settings.dataDir }
    const adminTokenFile = await ensureAdministrator(firstStart, secrets.adminToken)
    const registrationTokenFile = await ensureRegistrationToken(firstStart, secrets.registrationToken)
    const running = await serve(parts, address)
    return { ...running, settings, adminTokenFile, registrationTokenFile }
  } catch (error) {
    await parts.database.destroy()
    throw error
  }
}

async function serve(parts: Parts, address: ListenAddress): Promise<Pick<Coordinator, 'url' | 'stop'>> {
  const url = urlOf(address)
  const stopping = new AbortController()
  // Every duty and every held request listens: many are no leak.
  setMaxListeners(0, stopping.signal)
  const pushes = pushDeps(parts)
  const app = buildApp(parts, pushes, stopping.signal)
  try {
    await app.listen(address)
  } catch (error) {
    await app.close()
    throw cannotListen(address, error)
  }
  parts.channel?.start()
  const duties = [
    ...listDuties(parts, pushes).map((duty) => performDuty(duty, stopping.signal, parts.logger)),
    parts.schedule.run(stopping.signal),
    parts.resources.run(stopping.signal),
    parts.bridges.run(stopping.signal),
    parts.environments.run(stopping.signal),
    parts.pipelineSchedule.run(stopping.signal),
    parts.deliveryWorker.run(stopping.signal),
    parts.imports.run(stopping.signal),
    parts.mirrors.run(stopping.signal),
    parts.exports.run(stopping.signal),
  ]
  let stopped: Promise<void> | undefined
  return { url, stop: () => (stopped ??= stop(parts, app, stopping, duties)) }
}

/** In the reverse order of starting; nothing is cut off. */
async function stop(
  parts: Parts,
  app: FastifyInstance,
  stopping: AbortController,
  duties: Promise<void>[],
): Promise<void> {
  stopping.abort()
  parts.remoteFiles.stop()
  await app.close()
  await Promise.all(duties)
  await parts.channel?.stop()
  await parts.engine.queue.stop()
  await parts.watches.stop()
  await parts.measures.stop()
  await parts.repositories.close()
  await parts.outbound.close()
  await parts.tokenUses.write()
  await parts.signIns.write()
  await parts.database.destroy()
}
