import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'

import type { Caller, Project, User } from '../access/caller.js'
import { letsInJobsOf } from '../access/job-token-scope.js'
import { createAuditTrail, insertAuditEvent } from '../accounts/audit-events/store.js'
import { createGroupDirectory } from '../accounts/groups/group-directory.js'
import { authorizeRoutes } from '../accounts/oauth/authorize/authorize-routes.js'
import { deviceRoutes } from '../accounts/oauth/device/device-routes.js'
import { discoveryRoutes } from '../accounts/oauth/openid/discovery.js'
import { oauthTokenRoutes } from '../accounts/oauth/token-routes.js'
import { storeVersion } from '../database/store-version.js'
import { createMovedFinder } from '../hosting/paths/redirects.js'
import { createProjectFinder, createStandingReader } from '../hosting/projects/find-project.js'
import { PushedProjects } from '../hosting/projects/pushed-projects.js'
import type { ShownCredentials } from '../hosting/repositories/http/git-access.js'
import { gitRoutes } from '../hosting/repositories/http/smart-http.js'
import type { PushDeps } from '../hosting/repositories/push/handle-push.js'
import { createApp } from '../http/app.js'
import { failedLoginOf } from '../http/audit.js'
import { Authenticator } from '../http/authentication/authenticator.js'
import { findDeployTokenCaller } from '../http/authentication/deploy-token.js'
import { authenticateGit } from '../http/authentication/git-credentials.js'
import type { LoginGuard } from '../http/authentication/login-guard.js'
import { codeLevelOf } from '../http/handle-operation.js'
import { KeptAnswers } from '../http/kept-answers.js'
import { RateLimits } from '../http/rate-limits/rate-limits.js'
import { createSharedCounts } from '../http/rate-limits/shared-counts.js'
import { viewerOf } from '../http/viewer.js'
import { announceFailedLogin } from '../integrations/webhooks/outbox/announce-system.js'
import { EVENT_UUID_HEADER, inEventChain } from '../integrations/webhooks/outbox/event-chain.js'
import { listOperations } from './operations.js'
import { pageServer } from './page-server.js'
import { projectDeps } from './project-deps.js'
import type { Parts } from './services.js'

/** The HTTP face of a coordinator: every operation of the API, git and the pages. `stopping` aborts what is held. */
export function buildApp(parts: Parts, pushes: PushDeps, stopping: AbortSignal): FastifyInstance {
  const { database, logger, metrics } = parts
  const { externalUrl } = parts.engine.server
  const failures = createSharedCounts(database)
  const authenticator = new Authenticator(
    database,
    parts.tokenUses,
    (user) => announceFailedLogin(database, user),
    failures,
  )
  const rateLimits = new RateLimits(parts.settings.rateLimits, Date.now, failures)
  const findProject = createProjectFinder(database)
  const moved = createMovedFinder(database)
  const standingOf = createStandingReader(database)
  const findUser = (idOrName: string) => authenticator.findUser(idOrName)
  const pushedProjects = new PushedProjects(
    projectDeps(parts, { externalUrl, findProject, findUser, standingOf }),
  )
  const door = (project: Project, jobProjectId: number) => letsInJobsOf(database, project, jobProjectId)
  const access = {
    authenticate: ({ authorization, address }: ShownCredentials) =>
      authenticateGit(
        authenticator,
        authorization,
        (token) => findDeployTokenCaller(database, token),
        guardOf(address),
      ),
    findProject,
    findMoved: (fullPath: string) => moved.project(fullPath),
    createProject: (user: User, fullPath: string) => pushedProjects.create(user, fullPath),
    accessLevel: (caller: Caller, project: Project) => codeLevelOf({ standingOf }, viewerOf(caller), project),
    letsInJobsOf: door,
  }
  const answerPage = pageServer(parts, { authenticator, rateLimits, findProject, moved, standingOf })
  const oauth = {
    ...{ database, authenticator, rateLimits, guardOf, spool: parts.spool },
    signer: parts.tokens,
    keepAuditEvent: insertAuditEvent,
  }
  const app = createApp({
    operations: listOperations(parts, { externalUrl, stopping, findProject, findUser, standingOf }),
    authenticator,
    findProject,
    standingOf,
    letsInJobsOf: door,
    groups: createGroupDirectory(database),
    moved,
    externalUrl,
    spool: parts.spool,
    rateLimits,
    keptAnswers: new KeptAnswers(() => storeVersion(database)),
    trustedProxies: parts.settings.trustedProxies,
    auditTrail: createAuditTrail(database),
    logger,
    metrics,
    metricsAddresses: parts.settings.metricsAddresses,
    stopping,
    checkReady: async () => {
      await sql`select 1`.execute(database)
    },
    plugins: [
      gitRoutes({
        ...pushes,
        access,
        answerPage,
        greet: (projectId) => pushedProjects.greeting(projectId),
        onFetched: (projectId) => parts.fetchCounts.note(projectId),
      }),
      discoveryRoutes(parts.tokens),
      oauthTokenRoutes(oauth),
      authorizeRoutes(oauth),
      deviceRoutes(oauth),
    ],
  })
  // Not before the body is read: what is said of a request there would be lost on the way.
  app.addHook('preHandler', (request, _reply, done) =>
    inEventChain(request.headers[EVENT_UUID_HEADER.toLowerCase()], done),
  )
  return app

  function guardOf(address: string): LoginGuard {
    return {
      check: () => rateLimits.checkFailures(address),
      failed: () => rateLimits.noteFailure(address),
      refused: (user) => insertAuditEvent(database, failedLoginOf(user, address)),
      accepted: (user) => parts.signIns.note(user.id, address),
    }
  }
}
