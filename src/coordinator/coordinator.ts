import { setMaxListeners } from 'node:events'

import type { FastifyInstance } from 'fastify'

import { useProgramLauncher } from '../git/launch-program.js'
import type { Logger } from '../lib/logger.js'
import { pause } from '../lib/pause.js'
import { insertAuditEvent } from './accounts/audit-events/store.js'
import { runPeriodicTask } from './background/periodic-task.js'
import { recordPresence } from './ci/queue/presence.js'
import { serveTerminals } from './ci/terminals/sockets.js'
import { migrate } from './database/migrate.js'
import { refuseMovedDatabase } from './database/move/move-state.js'
import type { RunningSshServer } from './hosting/ssh/ssh-server.js'
import { closeDrained } from './http/drain.js'
import { appParts } from './start/app-parts.js'
import { buildApp } from './start/app.js'
import { closeServices } from './start/close-services.js'
import type { ListenAddress } from './start/config/readers.js'
import type { CoordinatorSecrets, CoordinatorSettings } from './start/config/settings.js'
import { openDataFolder } from './start/data-folder.js'
import { measureEventLoop } from './start/event-loop-metrics.js'
import { ensureAdministrator, ensureRegistrationToken } from './start/first-start.js'
import { FolderLock } from './start/folder-lock.js'
import { checkInstallation, refuseLostFile, tieInstallation } from './start/installation.js'
import { cannotListen, fixedAddress, urlOf } from './start/listen.js'
import { listOperations } from './start/operations/operations.js'
import { listPeriodicTasks } from './start/periodic-tasks.js'
import { pullMirrorWorker } from './start/pull-mirror-worker.js'
import { releaseMemoryWhenIdle } from './start/release-memory.js'
import { serveSsh } from './start/serve-ssh.js'
import { createServices } from './start/services/create-services.js'
import { mergeRequestTaskWorker, trainWorker } from './start/services/merge-request-listeners.js'
import { pushDeps } from './start/services/push-deps.js'
import type { Services } from './start/services/services.js'
import { explainStart } from './start/start-error.js'
import { checkTemplatesFolder } from './start/templates-folder.js'

export interface Coordinator {
  /** The address it listens on. */
  url: string
  settings: CoordinatorSettings
  /** Path of the administrator token file, if this start generated the token. */
  adminTokenFile: string | undefined
  registrationTokenFile: string
  /** Reads the keys of secrets again, which happens twice a minute anyway. */
  readSecretKeys(): void
  /**
   * Stops accepting requests, serves held job requests, completes the others and closes the store. May be
   * called twice; both calls return when it is done.
   */
  stop(): Promise<void>
}

/**
 * Starts a coordinator: schema, first administrator, HTTP server and periodic tasks. When it returns,
 * requests are served. On failure it closes what it has opened and throws: `StartError` for errors of the
 * disk or the database.
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
  useProgramLauncher()
  await openDataFolder(settings.dataDir, logger)
  if (settings.sharedDir !== settings.dataDir) await openDataFolder(settings.sharedDir, logger)
  await checkTemplatesFolder(settings.templatesDir)
  const lock = await FolderLock.take(settings)
  try {
    const running = await startLocked(settings, logger, secrets)
    const stop = () => running.stop().finally(() => lock[Symbol.dispose]())
    return { ...running, stop }
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

async function startLocked(
  settings: CoordinatorSettings,
  logger: Logger,
  secrets: CoordinatorSecrets,
): Promise<Coordinator> {
  await refuseLostFile(settings)
  const address = await fixedAddress(settings.listen)
  const services = await createServices(settings, logger, settings.externalUrl ?? urlOf(address))
  try {
    await refuseMovedDatabase(services.database, settings.database.dialect)
    const installation = await checkInstallation(services)
    await migrate(services.database, settings.database)
    await services.instanceSettings.load()
    await recordPresence(services.engine)
    const firstStart = { ...services, dataDir: settings.dataDir }
    const adminTokenFile = await ensureAdministrator(firstStart, secrets.adminToken)
    const registrationTokenFile = await ensureRegistrationToken(firstStart, secrets.registrationToken)
    await tieInstallation(services, installation)
    const running = await serve(services, address)
    return { ...running, settings, adminTokenFile, registrationTokenFile }
  } catch (error) {
    await closeServices(services)
    throw error
  }
}

async function serve(
  services: Services,
  address: ListenAddress,
): Promise<Pick<Coordinator, 'url' | 'readSecretKeys' | 'stop'>> {
  const url = urlOf(address)
  const stopping = new AbortController()
  // Every task and every held request listens: many are no leak.
  setMaxListeners(0, stopping.signal)
  measureEventLoop(services.metrics, stopping.signal)
  releaseMemoryWhenIdle(stopping.signal)
  const pushes = pushDeps(services)
  const parts = appParts(services)
  const app = buildApp(services, pushes, stopping.signal, { operations: listOperations, parts })
  try {
    await app.listen(address)
  } catch (error) {
    await app.close()
    throw cannotListen(address, error)
  }
  stopping.signal.addEventListener('abort', () => services.terminals.stop(), { once: true })
  serveTerminals(app.server, {
    engine: services.engine,
    watches: services.watches,
    onChanged: (id) => services.live.changed({ jobs: [id] }),
    relay: services.terminals,
    egress: services.egress,
    areEnabled: () => services.instanceSettings.allowsJobShells,
    maxSeconds: () => services.instanceSettings.maxShellSeconds,
    logger: services.logger,
    storeAuditEvent: insertAuditEvent,
    externalUrl: services.engine.server.externalUrl,
  })
  const ssh = await serveSsh(services, pushes, parts).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  services.channel?.start()
  const { taskSeconds } = services.settings.lease
  const periodicTasks = [
    ...listPeriodicTasks(services, pushes).map((task) =>
      runPeriodicTask(task, stopping.signal, services.logger, services.taskRuns),
    ),
    services.schedule.run(stopping.signal),
    services.resources.run(stopping.signal),
    services.bridges.run(stopping.signal),
    services.environments.run(stopping.signal),
    services.sites.run(stopping.signal),
    services.pipelineSchedule.run(stopping.signal),
    services.deliveryWorker.run(stopping.signal),
    services.builds.run(stopping.signal),
    services.chatReplies.run(stopping.signal),
    ...(services.mail
      ? [services.mail.notices.run(stopping.signal, taskSeconds), services.mail.mails.run(stopping.signal)]
      : []),
    services.imports.run(stopping.signal, taskSeconds),
    services.mergeRequestRefresh.run(stopping.signal, taskSeconds),
    services.deployedMergeRequests.run(stopping.signal, taskSeconds),
    mergeRequestTaskWorker(services, pushes).run(stopping.signal, taskSeconds),
    trainWorker(services, pushes).run(stopping.signal, taskSeconds),
    services.mirrors.run(stopping.signal, taskSeconds),
    pullMirrorWorker(services, pushes).run(stopping.signal, taskSeconds),
    services.exports.run(stopping.signal, taskSeconds),
    services.bulkImports.run(stopping.signal, taskSeconds),
  ]
  let stopped: Promise<void> | undefined
  const readSecretKeys = (): void => services.secrets.reload()
  return { url, readSecretKeys, stop: () => (stopped ??= stop(services, app, ssh, stopping, periodicTasks)) }
}

/**
 * Stops in reverse order of the start. Held requests are served; new ones are served for `drain_seconds`, in which load
 * balancers see that it is not ready. The others get `shutdown_seconds` to end.
 */
async function stop(
  services: Services,
  app: FastifyInstance,
  ssh: RunningSshServer | undefined,
  stopping: AbortController,
  periodicTasks: Promise<void>[],
): Promise<void> {
  stopping.abort()
  const { drainSeconds, seconds } = services.settings.shutdown
  await pause(drainSeconds * 1000)
  services.remoteFiles.stop()
  const isLate = new AbortController()
  const timer = setTimeout(() => isLate.abort(), Math.max(seconds - drainSeconds, 0) * 1000)
  isLate.signal.addEventListener('abort', () => {
    services.logger.warn('Requests have not ended within shutdown_seconds: their connections are closed')
    app.server.closeAllConnections()
  })
  await Promise.all([
    services.deletions.stop(),
    drainSeconds > 0 ? closeDrained(app) : app.close(),
    ssh?.stop(isLate.signal),
  ])
  clearTimeout(timer)
  await Promise.all(periodicTasks)
  await closeServices(services)
}
