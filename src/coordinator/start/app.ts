import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'

import type { Caller, Project, User } from '../access/caller.js'
import { allowsJobTokensOf } from '../access/job-token-allowlist.js'
import { createAuditTrail, insertAuditEvent } from '../accounts/audit-events/store.js'
import { createGroupDirectory } from '../accounts/groups/group-directory.js'
import { authorizeRoutes } from '../accounts/oauth/authorize/authorize-routes.js'
import { deviceRoutes } from '../accounts/oauth/device/device-routes.js'
import { discoveryRoutes } from '../accounts/oauth/openid/discovery.js'
import { oauthTokenRoutes } from '../accounts/oauth/token-routes.js'
import { storeVersion } from '../database/store-version.js'
import { lfsServer } from '../hosting/lfs/lfs-server.js'
import { createRedirectFinder } from '../hosting/paths/redirects.js'
import { createProjectAccessReader, createProjectFinder } from '../hosting/projects/find-project.js'
import { PushedProjects } from '../hosting/projects/pushed-projects.js'
import type { ShownCredentials } from '../hosting/repositories/http/git-access.js'
import { gitRoutes } from '../hosting/repositories/http/smart-http.js'
import type { PushDeps } from '../hosting/repositories/push/handle-push.js'
import { snippetGit } from '../hosting/snippets/git-access.js'
import { type AppDeps, createApp } from '../http/app.js'
import { failedLoginOf } from '../http/audit.js'
import { Authenticator } from '../http/authentication/authenticator.js'
import { findDeployTokenCaller } from '../http/authentication/deploy-token.js'
import { authenticateGit } from '../http/authentication/git-credentials.js'
import type { LoginGuard } from '../http/authentication/login-guard.js'
import { codeLevelOf } from '../http/handle-operation.js'
import type { Operation } from '../http/operation.js'
import { RateLimits } from '../http/rate-limits/rate-limits.js'
import { createSharedCounts } from '../http/rate-limits/shared-counts.js'
import { ResponseCache } from '../http/response-cache.js'
import { viewerOf } from '../http/viewer.js'
import { emitFailedLogin } from '../integrations/webhooks/outbox/emit-system-events.js'
import { EVENT_UUID_HEADER, inEventChain } from '../integrations/webhooks/outbox/event-chain.js'
import { collaborationBranches } from '../planning/collaboration-branches.js'
import type { OperationListDeps } from './operations/operation-list-deps.js'
import { pageServer } from './page-server.js'
import { projectDeps } from './project-deps.js'
import type { Services } from './services.js'

export interface AppOptions extends Pick<AppDeps, 'bodyRate' | 'bodySeconds' | 'checkAnswers'> {
  /** Lists the operations to serve. */
  operations: (services: Services, deps: OperationListDeps) => Operation[]
}

/**
 * Builds the HTTP server of a coordinator: API operations, git and pages. `stopping` aborts held requests.
 */
export function buildApp(
  services: Services,
  pushes: PushDeps,
  stopping: AbortSignal,
  { operations, ...limits }: AppOptions,
): FastifyInstance {
  const { database, logger, metrics } = services
  const { externalUrl } = services.engine.server
  const failures = createSharedCounts(database)
  const authenticator = new Authenticator(
    database,
    services.tokenUses,
    (user) => emitFailedLogin(database, user),
    failures,
  )
  const rateLimits = new RateLimits(services.settings.rateLimits, Date.now, failures)
  const findProject = createProjectFinder(database)
  const moved = createRedirectFinder(database)
  const projectAccessOf = createProjectAccessReader(database)
  const findUser = (idOrName: string) => authenticator.findUser(idOrName)
  const pushedProjects = new PushedProjects(
    projectDeps(services, { externalUrl, findProject, findUser, projectAccessOf }),
  )
  const door = (project: Project, jobProjectId: number) => allowsJobTokensOf(database, project, jobProjectId)
  const access = {
    authenticate: ({ authorization, address }: ShownCredentials) =>
      authenticateGit(
        authenticator,
        authorization,
        (token) => findDeployTokenCaller(database, token),
        guardOf(address),
      ),
    findProject,
    findRedirect: (fullPath: string) => moved.project(fullPath),
    createProject: (user: User, fullPath: string) => pushedProjects.create(user, fullPath),
    accessLevel: (caller: Caller, project: Project) =>
      codeLevelOf({ projectAccessOf }, viewerOf(caller), project),
    allowsJobTokensOf: door,
    collaborationBranches: (user: User, project: Project) =>
      collaborationBranches({ database, findProject, projectAccessOf }, user, project),
  }
  const answerPage = pageServer(services, { authenticator, rateLimits, findProject, moved, projectAccessOf })
  const oauth = {
    database,
    authenticator,
    rateLimits,
    guardOf,
    spool: services.spool,
    signer: services.tokens,
    storeAuditEvent: insertAuditEvent,
  }
  const app = createApp({
    ...limits,
    operations: operations(services, {
      externalUrl,
      stopping,
      findProject,
      findUser,
      projectAccessOf,
      pushes,
    }),
    authenticator,
    findProject,
    projectAccessOf,
    allowsJobTokensOf: door,
    groups: createGroupDirectory(database),
    moved,
    externalUrl,
    spool: services.spool,
    rateLimits,
    responseCache: new ResponseCache(() => storeVersion(database)),
    trustedProxies: services.settings.trustedProxies,
    auditTrail: createAuditTrail(database),
    logger,
    metrics,
    metricsAddresses: services.settings.metricsAddresses,
    stopping,
    checkReady: async () => {
      await sql`select 1`.execute(database)
    },
    plugins: [
      gitRoutes({
        ...pushes,
        ...(limits.bodyRate && { bodyRate: limits.bodyRate }),
        access,
        answerPage,
        largeFiles: lfsServer({ database, blobs: services.blobs, access, externalUrl }),
        otherRepository: snippetGit({
          database,
          snippetRepositories: services.snippetRepositories,
          access,
        }),
        greet: (projectId) => pushedProjects.greeting(projectId),
        onFetched: (projectId) => services.fetchCounts.record(projectId),
      }),
      discoveryRoutes(services.tokens),
      oauthTokenRoutes(oauth),
      authorizeRoutes(oauth),
      deviceRoutes(oauth),
    ],
  })
  // Not before the body is read, because the asynchronous context of the request would be lost.
  app.addHook('preHandler', (request, _reply, done) =>
    inEventChain(request.headers[EVENT_UUID_HEADER.toLowerCase()], done),
  )
  return app

  function guardOf(address: string): LoginGuard {
    return {
      check: () => rateLimits.checkFailures(address),
      failed: () => rateLimits.recordFailure(address),
      refused: (user) => insertAuditEvent(database, failedLoginOf(user, address)),
      accepted: (user) => services.signIns.record(user.id, address),
    }
  }
}
