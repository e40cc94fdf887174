import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'

import type { Logger } from '../../lib/logger.js'
import { sessionCookieOf, type TokenCookie } from './authentication/session-cookie.js'
import { BODY_SECONDS, discardAfterResponse } from './body-limits/body-time.js'
import {
  decorateWithMultipartLimit,
  UNAUTHENTICATED_BODY_LIMIT,
} from './body-limits/unauthenticated-body-size.js'
import { BrokenResponseLog } from './broken-response-log.js'
import { allowOtherOrigins } from './cors.js'
import { closeConnectionsAfterResponses } from './drain.js'
import { handleError } from './error-handler.js'
import { apiError } from './errors.js'
import type { OperationDeps } from './handle-operation.js'
import { healthRoutes } from './health.js'
import { metricsRoutes, requestDurations } from './metrics.js'
import { refuseUnknownRoutes } from './not-found.js'
import { apiPage } from './openapi/api-page.js'
import { openApiDocument } from './openapi/openapi.js'
import type { Operation } from './operation.js'
import { leaveBodiesUnread } from './parameters/body-parsers.js'
import { parseQuery } from './parameters/fold-form.js'
import { createSuffixRemover } from './parameters/json-suffix.js'
import { registerOperations } from './register-operations.js'
import { repeatResponses } from './repeated-responses.js'
import { requestIdOf } from './request-id.js'
import { logServed, reportServed } from './request-log.js'
import { addScope } from './scope.js'
import { sendJson } from './send.js'
import type { ServedRequest } from './served-request.js'
import { endStuckConnections } from './stuck-connections.js'

export const API_PREFIX = '/api/v4'

/** Characters of one segment of a path: an encoded file path, for example. */
const SEGMENT_LIMIT = 8192

export interface AppDeps extends OperationDeps {
  operations: Operation[]
  logger: Logger
  metrics: Registry
  /** Addresses and networks that may read `/metrics`; absent = this machine. */
  metricsAddresses?: readonly string[] | undefined
  /** Addresses and networks of proxies, such as `10.0.0.0/8`; absent = clients connect directly. */
  trustedProxies?: string[] | undefined
  /** Aborts when the coordinator is about to stop. Absent: it never does. */
  stopping?: AbortSignal
  /** The target of a request as it is routed, if that depends on the host that it came to. */
  targetAt?: (host: string, target: string) => string
  /** Rejects while the store cannot be reached. */
  checkReady: () => Promise<void>
  /** Routes outside the API, such as git over HTTP; each is registered in a separate scope. */
  plugins?: ((app: FastifyInstance) => void)[]
}

/** The HTTP face of the coordinator; it does not listen yet. */
export function createApp(deps: AppDeps): FastifyInstance {
  // Uses the general logger type, because the type of an app with a specific logger matches no plugin.
  const logger: FastifyBaseLogger = deps.logger
  // A signal of its own, because one that outlives the app would keep its listeners.
  const { stopping = new AbortController().signal } = deps
  const withoutSuffix = createSuffixRemover(API_PREFIX, deps.operations)
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new BrokenResponseLog(),
    // Operations allow their callers more.
    bodyLimit: UNAUTHENTICATED_BODY_LIMIT,
    // A logger for each request costs more than many requests. Callers that log add the request id
    // themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: requestIdOf,
    requestIdHeader: false,
    // A trusted proxy supplies the client address. Forwarding headers from any other peer are ignored.
    trustProxy: deps.trustedProxies ?? false,
    rewriteUrl: ({ url = '/', headers }) => {
      const target = withoutSuffix(originForm(url))
      return deps.targetAt?.(headers.host ?? '', target) ?? target
    },
    // Makes requests that the router rejects before any hook return errors in the usual form.
    frameworkErrors: handleError,
    // Requests that arrive on an open connection while the server closes are served as usual.
    return503OnClosing: false,
    routerOptions: { maxParamLength: SEGMENT_LIMIT, querystringParser: parseQuery },
  })
  observeRequests(app, { ...deps, stopping })
  app.setErrorHandler(handleError)
  // Serves requests without a route before reading their body.
  leaveBodiesUnread(app)
  decorateWithMultipartLimit(app)
  addCommonHeaders(app, sessionCookieOf(deps.externalUrl))
  discardAfterResponse(app, deps.bodySeconds ?? BODY_SECONDS)
  endStuckConnections(app, stopping)
  metricsRoutes(app, deps.metrics, deps.metricsAddresses)
  healthRoutes(app, deps.checkReady, stopping)
  addOpenApi(app, deps)
  addScope(app, 'api', (api) => registerOperations(api, deps.operations, deps), { prefix: API_PREFIX })
  refuseUnknownRoutes(app, API_PREFIX, deps.operations)
  for (const plugin of deps.plugins ?? []) addScope(app, 'routes', plugin)
  return app
}

/** Logs and measures requests; some are served in front of the app. */
function observeRequests(
  app: FastifyInstance,
  { operations, repeatedResponses, logger, metrics, stopping }: AppDeps & { stopping: AbortSignal },
): void {
  const measure = requestDurations(metrics)
  const onServed = (served: ServedRequest): void => {
    logServed(logger, served)
    measure(served)
  }
  reportServed(app, onServed)
  repeatResponses(app.server, { operations, prefix: API_PREFIX, repeatedResponses, stopping, onServed })
  closeConnectionsAfterResponses(app.server, stopping)
}

/**
 * The path and query of a request. A client may send an absolute URL in the request line, as to a proxy (RFC
 * 9112, 3.2.2). Links and redirects still use the configured URL, whatever host the client names.
 */
function originForm(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('?') || path === '' ? `/${path}` : path
}

/**
 * Browsers must not execute user content of any type. The few pages of the server set policies of their own.
 */
const NO_ACTIVE_CONTENT = "default-src 'none'; sandbox"

function addCommonHeaders(app: FastifyInstance, cookie: TokenCookie): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('x-frame-options', 'SAMEORIGIN')
    reply.header('content-security-policy', NO_ACTIVE_CONTENT)
    const variesBy = ['Origin']
    if (cookie.read(request.headers) !== undefined) {
      // Pages of other origins must not see content that a browser gets because it is signed in.
      reply.header('cross-origin-resource-policy', 'same-origin')
      variesBy.push('Cookie')
    }
    reply.header('vary', variesBy.join(', '))
    allowOtherOrigins(request, reply)
    // No name contains a NUL and no store can search for one. For a NUL in the query, the error names the
    // parameter instead.
    done(hasNul(request.url) ? apiError('nul_in_url') : undefined)
  })
}

function hasNul(url: string): boolean {
  const path = url.startsWith(`${API_PREFIX}/`) ? url.replace(/\?.*$/s, '') : url
  return path.includes('%00')
}

function addOpenApi(app: FastifyInstance, { operations, externalUrl }: AppDeps): void {
  let document: object | undefined
  app.get('/api/openapi.json', (_request, reply) => {
    // Built on first use: few clients request it, and building it takes half a second.
    document ??= openApiDocument(operations, externalUrl + API_PREFIX)
    sendJson(reply, 200, document)
  })
  apiPage(app)
}
