import { setMaxListeners } from 'node:events'
import { mkdir } from 'node:fs/promises'

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'

import { messageOf } from '../lib/errors.js'
import type { Logger } from '../lib/logger.js'
import { accountDeps } from './account-deps.js'
import type { CoordinatorSecrets, CoordinatorSettings } from './config.js'
import type { ListenAddress } from './config/readers.js'
import { migrate } from './database/migrate.js'
import { type Duty, performDuty } from './duty.js'
import { followVanished } from './engine/downstream/follow-vanished.js'
import { failOverdueJobs } from './engine/finish/fail-overdue-jobs.js'
import { failStuckJobs } from './engine/finish/fail-stuck-jobs.js'
import { loseJob } from './engine/finish/lose-job.js'
import { deletedPipelines } from './engine/pipeline-store.js'
import { unlockDeletedRefs } from './engine/reports/unlock-deleted-refs.js'
import { forgetDeliveries } from './events/deliveries/forget-deliveries.js'
import { EVENT_UUID_HEADER, inEventChain } from './events/outbox/event-chain.js'
import { ensureAdministrator, ensureRegistrationToken } from './first-start.js'
import { createApp } from './http/app.js'
import { Authenticator } from './http/authentication/authenticator.js'
import { findDeployTokenCaller } from './http/authentication/deploy-token.js'
import { authenticateGit } from './http/authentication/git-credentials.js'
import { discoveryRoutes } from './http/discovery.js'
import { codeLevelOf } from './http/handle-operation.js'
import type { Caller, Project } from './http/operation.js'
import { RateLimits } from './http/rate-limits/rate-limits.js'
import { viewerOf } from './http/viewer.js'
import { fixedAddress, ListenError, urlOf } from './listen.js'
import { listOperations } from './operations.js'
import { pageServer } from './page-server.js'
import { createParts, type Parts } from './parts.js'
import { removedProjectDeps, removeGroupDeps } from './project-deps.js'
import { pushDeps } from './push-deps.js'
import { expireLeases } from './queue/expire-leases.js'
import { notePresence, presenceInterval } from './queue/presence.js'
import { finishInterruptedPushes } from './repositories/finish-interrupted-pushes.js'
import type { PushDeps } from './repositories/handle-push.js'
import { gitRoutes } from './repositories/smart-http.js'
import { type TendingDeps, tendRepositories } from './repositories/tend-repositories.js'
import { insertAuditEvent, removeAuditEventsBefore } from './resources/audit-events/store.js'
import { deleteUnusedKeys } from './resources/deploy-keys/store.js'
import { createGroupDirectory } from './resources/namespaces/group-directory.js'
import { finishGroupRemovals } from './resources/namespaces/remove-group.js'
import { createProjectFinder, createStandingReader } from './resources/projects/find-project.js'
import { measureChangedProjects } from './resources/projects/measure/measure-changed.js'
import { removeFilesOfDeletedProjects } from './resources/projects/removed-projects.js'
import { finishRemovals } from './resources/users/removal/remove-user.js'
import { removeUnusedCaches } from './storage/evict-caches.js'
import { removeExpiredArtifacts } from './storage/remove-expired.js'
import { removeFilesOfDeletedJobs } from './storage/removed-jobs.js'

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
 * answered. Throws when it cannot, having closed what it had opened.
 */
export async function startCoordinator(
  settings: CoordinatorSettings,
  logger: Logger,
  secrets: CoordinatorSecrets = {},
): Promise<Coordinator> {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 })
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
  const app = buildApp(parts, pushes, parts.engine.server.externalUrl, stopping.signal)
  try {
    await app.listen(address)
  } catch (error) {
    await app.close()
    throw new ListenError(`Cannot listen on ${url}: ${messageOf(error)}`, { cause: error })
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
  await parts.database.destroy()
}

function buildApp(
  parts: Parts,
  pushes: PushDeps,
  externalUrl: string,
  stopping: AbortSignal,
): FastifyInstance {
  const { database, logger, metrics } = parts
  const authenticator = new Authenticator(database, parts.tokenUses)
  const rateLimits = new RateLimits(parts.settings.rateLimits)
  const findProject = createProjectFinder(database)
  const standingOf = createStandingReader(database)
  const findUser = (idOrName: string) => authenticator.findUser(idOrName)
  const access = {
    authenticate: (authorization: string | undefined) =>
      authenticateGit(authenticator, authorization, (username, token) =>
        findDeployTokenCaller(database, username, token),
      ),
    findProject,
    accessLevel: (caller: Caller, project: Project) => codeLevelOf({ standingOf }, viewerOf(caller), project),
  }
  const answerPage = pageServer(parts, { authenticator, rateLimits, findProject, standingOf })
  const app = createApp({
    operations: listOperations(parts, { externalUrl, stopping, findProject, findUser, standingOf }),
    authenticator,
    findProject,
    standingOf,
    groups: createGroupDirectory(database),
    externalUrl,
    spool: parts.spool,
    rateLimits,
    trustedProxies: parts.settings.trustedProxies,
    recordAudit: (event) => insertAuditEvent(database, event),
    logger,
    metrics,
    checkReady: async () => {
      await sql`select 1`.execute(database)
    },
    plugins: [gitRoutes({ ...pushes, access, answerPage }), discoveryRoutes(parts.tokens)],
  })
  // Not before the body is read: what is said of a request there would be lost on the way.
  app.addHook('preHandler', (request, _reply, done) => inEventChain(request.headers[EVENT_UUID_HEADER], done))
  return app
}

function tendingDeps({ database, repositories, logger }: Parts): TendingDeps {
  const deleted = (projectId: number, ids: number[]) => deletedPipelines(database, projectId, ids)
  return { database, repositories, logger, deletedPipelines: deleted }
}

/** What is done again and again; several coordinators on one store may do it at once. */
function listDuties(parts: Parts, pushes: PushDeps): Duty[] {
  const { database, blobs, uploads, spool, engine, settings } = parts
  const onExpired = (jobId: number) => loseJob(engine, jobId)
  return [
    {
      name: 'expire-leases',
      every: presenceInterval(engine.lease),
      turn: () => expireLeases({ ...engine, onExpired }),
    },
    { name: 'fail-overdue-jobs', every: 30, turn: () => failOverdueJobs(engine) },
    { name: 'follow-vanished-pipelines', every: 60, turn: () => followVanished(engine) },
    { name: 'fail-stuck-jobs', every: 600, turn: () => failStuckJobs(engine) },
    { name: 'finish-interrupted-pushes', every: 60, turn: () => finishInterruptedPushes(pushes) },
    {
      name: 'tend-repositories',
      every: 3600,
      turn: (signal) => tendRepositories(tendingDeps(parts), signal),
    },
    { name: 'delete-unused-deploy-keys', every: 3600, turn: () => deleteUnusedKeys(database) },
    {
      name: 'remove-files-of-deleted-jobs',
      every: 300,
      turn: () => removeFilesOfDeletedJobs(parts),
    },
    {
      name: 'remove-files-of-deleted-projects',
      every: 300,
      turn: () => removeFilesOfDeletedProjects(removedProjectDeps(parts)),
    },
    { name: 'measure-repositories', every: 3600, turn: (signal) => measureChangedProjects(parts, signal) },
    {
      name: 'remove-expired-artifacts',
      every: 300,
      turn: async () => {
        await unlockDeletedRefs(engine)
        await removeExpiredArtifacts(database, blobs)
      },
    },
    {
      name: 'remove-unused-caches',
      every: 300,
      turn: () => removeUnusedCaches(database, blobs, Date.now() - settings.caches.unusedSeconds * 1000),
    },
    { name: 'forget-deliveries', every: 3600, turn: () => forgetDeliveries(database) },
    { name: 'remove-users', every: 60, turn: () => finishRemovals(accountDeps(parts)) },
    { name: 'note-uses-of-tokens', every: 30, turn: () => parts.tokenUses.write() },
    { name: 'finish-group-removals', every: 300, turn: () => finishGroupRemovals(removeGroupDeps(parts)) },
    { name: 'remove-abandoned-blobs', every: 3600, turn: () => blobs.removeAbandoned(dayAgo()) },
    { name: 'remove-abandoned-uploads', every: 3600, turn: () => uploads.removeAbandoned(dayAgo()) },
    ...(settings.auditDays > 0
      ? [
          {
            name: 'remove-old-audit-events',
            every: 3600,
            turn: () => removeAuditEventsBefore(database, Date.now() - settings.auditDays * DAY),
          },
        ]
      : []),
    { name: 'remove-abandoned-files', every: 3600, turn: () => spool.removeAbandoned(dayAgo()) },
  ]
}

const DAY = 24 * 3600 * 1000

/** No upload lasts this long. */
function dayAgo(): Date {
  return new Date(Date.now() - 24 * 3600 * 1000)
}
