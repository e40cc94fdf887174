import type { FastifyInstance } from 'fastify'

import { parseGitTarget } from '../hosting/repositories/http/git-path.js'
import type { ReadSession } from '../http/authentication/read-session.js'
import type { RateLimits } from '../http/rate-limits/rate-limits.js'

/** The API has its own limits. Files of pages, which browsers cache, and addresses for machines have none. */
const NO_PAGE = /^\/(api|assets|metrics|-\/health|-\/readiness)([/?]|$)/

/** Limits the rate of requests for pages, as the settings of the instance say. */
export function throttlePages(
  app: FastifyInstance,
  { rateLimits, readSession }: { rateLimits: RateLimits; readSession: ReadSession },
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, url, ip } = request
    if (!rateLimits.limitsPages || NO_PAGE.test(url) || parseGitTarget(method, url)) return done()
    readSession(request)
      .then((session) => rateLimits.countPage(session?.user.id, ip))
      .then(() => done(), done)
  })
}
