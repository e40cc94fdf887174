import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'

import { VERSION } from '../../lib/version.js'
import { dynamicRegistrationRoutes } from '../accounts/applications/register-itself.js'
import { createAuditTrail, insertAuditEvent } from '../accounts/audit-events/store.js'
import { createGroupDirectory } from '../accounts/groups/group-directory.js'
import { authorizeRoutes } from '../accounts/oauth/authorize/authorize-routes.js'
import { deviceRoutes } from '../accounts/oauth/device/device-routes.js'
import { discoveryRoutes } from '../accounts/oauth/openid/discovery.js'
import { oauthTokenRoutes } from '../accounts/oauth/token-routes.js'
import { accountLinkRoutes } from '../accounts/users/account-link-routes.js'
import { viewRoutes } from '../ci/jobs/artifacts/in-place/view-routes.js'
import { targetByName } from '../ci/site-addresses/site-origins.js'
import { mayReadSite } from '../ci/sites/site-access.js'
import { siteRoutes } from '../ci/sites/site-routes.js'
import { storeVersion } from '../database/store-version.js'
import { lfsServer } from '../hosting/lfs/lfs-server.js'
import { gitRoutes } from '../hosting/repositories/http/smart-http.js'
import type { PushDeps } from '../hosting/repositories/push/handle-push.js'
import { acceptingLfsTokens } from '../hosting/ssh/lfs-token.js'
import { API_PREFIX, type AppDeps, createApp } from '../http/app.js'
import { createCallerReader } from '../http/authentication/caller.js'
import { createSessionReader } from '../http/authentication/read-session.js'
import { accessIn } from '../http/handle-operation.js'
import type { Operation } from '../http/operation.js'
import { givenParameters } from '../http/parameters/parameter-source.js'
import { RepeatedResponses } from '../http/repeated-responses.js'
import { ResponseCache } from '../http/response-cache.js'
import { EVENT_UUID_HEADER, inEventChain } from '../integrations/webhooks/outbox/event-chain.js'
import { observedTrail } from '../live/audited-changes.js'
import { serveResourceMetadata } from '../mcp/resource-metadata.js'
import { assetRoutes } from '../pages/asset-routes.js'
import { readWebBuild } from '../pages/page-files.js'
import { statusIconRoutes } from '../pages/status-icon-routes.js'
import { unsubscribeRoutes } from '../planning/notifications/unsubscribe-routes.js'
import { scimRoutes } from '../scim/scim-routes.js'
import { endSessionRoutes } from '../sessions/end-session-routes.js'
import { enrolmentRoutes } from '../sessions/enrolment-routes.js'
import { backchannelLogoutRoutes } from '../sessions/providers/backchannel-logout-routes.js'
import { providerRoutes } from '../sessions/providers/provider-routes.js'
import { samlRoutes } from '../sessions/providers/saml/saml-routes.js'
import { secondFactorRoutes } from '../sessions/second-factor-routes.js'
import { signInLinkRoutes } from '../sessions/sign-in-link-routes.js'
import { signInRoutes } from '../sessions/sign-in-routes.js'
import { signUpRoutes } from '../sessions/sign-up-routes.js'
import { termsRoutes } from '../sessions/terms-routes.js'
import { accountDeps } from './account-deps.js'
import { type AppParts, appParts } from './app-parts.js'
import { checkDisks } from './check-disks.js'
import type { OperationListDeps } from './operation-list-deps.js'
import { pageServer } from './page-server.js'
import { isAt, separateHosts } from './separate-host.js'
import type { Services } from './services/services.js'
import { throttlePages } from './throttle-pages.js'

export interface AppOptions extends Pick<AppDeps, 'bodyRate' | 'bodySeconds' | 'checkResponses'> {
  /** Lists the operations to serve. */
  operations: (services: Services, deps: OperationListDeps) => Operation[]
  /** Shared with other servers of the coordinator. */
  parts?: AppParts
}

/**
 * Builds the HTTP server of a coordinator: API operations, git and pages. `stopping` aborts held requests.
 */
export function buildApp(
  services: Services,
  pushes: PushDeps,
  stopping: AbortSignal,
  { operations, parts = appParts(services), ...limits }: AppOptions,
): FastifyInstance {
  const { database, logger, metrics } = services
  const { externalUrl } = services.engine.server
  stopping.addEventListener('abort', () => services.engine.queue.endWaits(), { once: true })
  const { authenticator, rateLimits, findProject, moved, projectAccessOf, findUser, guardOf } = parts
  const { access, pushedProjects } = parts
  const build = readWebBuild()
  const { siteOrigins } = services
  const { pagesUrl } = siteOrigins
  const readCaller = createCallerReader(
    { authenticator, rateLimits, externalUrl },
    { method: 'GET', jobToken: false, open: true, scopes: [], session: 'yes' },
  )
  const servePage = pageServer(services, {
    authenticator,
    rateLimits,
    externalUrl,
    build,
    findProject,
    findUser,
    moved,
    projectAccessOf,
  })
  const readSession = createSessionReader({ authenticator, externalUrl })
  const oauth = {
    database,
    authenticator,
    rateLimits,
    guardOf,
    spool: services.spool,
    secrets: services.secrets,
    signer: services.tokens,
    readSession,
    storeAuditEvent: insertAuditEvent,
  }
  const sessions = { ...oauth, secrets: services.secrets, externalUrl, providers: services.providers, logger }
  const app = createApp({
    ...limits,
    operations: operations(services, {
      externalUrl,
      stopping,
      findProject,
      authenticator,
      guardOf,
      findUser,
      projectAccessOf,
      pushes,
      inject: async ({ method, path, body, headers, address }) => {
        const url = `${API_PREFIX}${path}`
        const request = { method, url, headers, remoteAddress: address, ...(body && { payload: body }) }
        const { statusCode, payload } = await app.inject(request)
        return { status: statusCode, text: payload }
      },
      build: build?.id ?? VERSION,
      readCaller: (request) => readCaller(request, givenParameters(request, '')),
    }),
    authenticator,
    findProject,
    projectAccessOf,
    allowsJobTokensOf: access.allowsJobTokensOf,
    groups: createGroupDirectory(database),
    moved,
    externalUrl,
    spool: services.spool,
    rateLimits,
    responseCache: new ResponseCache(() => storeVersion(database)),
    repeatedResponses: new RepeatedResponses(() => storeVersion(database)),
    trustedProxies: services.settings.trustedProxies,
    auditTrail: observedTrail(createAuditTrail(database), (changes) => services.live.changed(changes)),
    ...(pagesUrl !== undefined && {
      targetAt: (host: string, target: string) => targetByName(pagesUrl, host, target),
    }),
    logger,
    metrics,
    metricsAddresses: services.settings.metricsAddresses,
    stopping,
    checkReady: async () => {
      await sql`select 1`.execute(database)
      await checkDisks(services.settings)
    },
    plugins: [
      ...(build ? [assetRoutes()] : []),
      statusIconRoutes(),
      gitRoutes({
        ...pushes,
        ...(limits.bodyRate && { bodyRate: limits.bodyRate }),
        access,
        servePage,
        largeFiles: lfsServer({
          database,
          blobs: services.blobs,
          access: acceptingLfsTokens(services, access),
          externalUrl,
        }),
        otherRepository: parts.otherRepository,
        greet: (projectId) => pushedProjects.greeting(projectId),
        onFetched: (projectId) => services.fetchCounts.record(projectId),
      }),
      viewRoutes({
        database,
        artifacts: services.artifacts,
        secrets: services.secrets,
        externalUrl,
        findProject,
        findUser,
        accessOf: (user, project) => accessIn({ projectAccessOf }, user, project),
      }),
      siteRoutes({
        database,
        artifacts: services.artifacts,
        secrets: services.secrets,
        externalUrl,
        origins: siteOrigins,
        findProject,
        findUser,
        mayRead: async (user, project) =>
          mayReadSite(project, await accessIn({ projectAccessOf }, user, project)),
        readSession,
        // The coordinator is at every name that leads to it.
        isAt: (request, origin) => origin === externalUrl || isAt(request, origin),
      }),
      discoveryRoutes(services.tokens),
      oauthTokenRoutes(oauth),
      authorizeRoutes(oauth),
      dynamicRegistrationRoutes(oauth),
      endSessionRoutes({ ...sessions, signer: services.tokens }),
      deviceRoutes(oauth),
      unsubscribeRoutes(services),
      accountLinkRoutes({ ...oauth, storeAuditEvent: insertAuditEvent }),
      signInRoutes(sessions),
      signInLinkRoutes(sessions),
      providerRoutes(sessions),
      backchannelLogoutRoutes(sessions),
      samlRoutes(sessions),
      secondFactorRoutes(sessions),
      enrolmentRoutes(sessions),
      signUpRoutes(sessions),
      termsRoutes(sessions),
      scimRoutes({ ...sessions, onShutOut: accountDeps(services).onShutOut }),
    ],
  })
  serveResourceMetadata(app, externalUrl)
  throttlePages(app, { rateLimits, readSession })
  separateHosts(app, { artifactsUrl: services.settings.artifactsUrl, pagesUrl })
  // This does not run before the body is read, because the asynchronous context of the request would be lost.
  app.addHook('preHandler', (request, _reply, done) =>
    inEventChain(request.headers[EVENT_UUID_HEADER.toLowerCase()], done),
  )
  return app
}
