import type { FastifyInstance, FastifyRequest } from 'fastify'

import { requestAddress } from '../../lib/request-address.js'
import { VIEW_PREFIX } from '../ci/jobs/artifacts/in-place/view-address.js'
import { canonicalHost, isPagesHost, SITE_PREFIX } from '../ci/site-addresses/site-origins.js'
import { notFound } from '../http/errors.js'

/** Answered at every name, because load balancers use any of them. Sites lead from one host to the other. */
const HEALTH = new Set(['/-/health', '/-/readiness'])

/**
 * Serves the files of artifacts at the host of their own alone, the sites of namespaces at theirs, and nothing else there:
 * neither the API nor a page. By this a link to a page that a job has made cannot look like a page of the coordinator.
 */
export function separateHosts(
  app: FastifyInstance,
  { artifactsUrl, pagesUrl }: { artifactsUrl: string | undefined; pagesUrl: string | undefined },
): void {
  if (artifactsUrl === undefined && pagesUrl === undefined) return
  app.addHook('onRequest', (request, _reply, done) => {
    const { pathname } = requestAddress(request.raw.url ?? '/')
    const isSite = pathname.startsWith(SITE_PREFIX)
    if (pagesUrl !== undefined && isPagesHost(pagesUrl, request.host)) {
      done(isSite || HEALTH.has(pathname) ? undefined : notFound())
      return
    }
    const isThere = artifactsUrl !== undefined && isAt(request, artifactsUrl)
    const isFile = artifactsUrl !== undefined && pathname.startsWith(VIEW_PREFIX)
    done(isThere === isFile || isSite || HEALTH.has(pathname) ? undefined : notFound())
  })
}

/** Whether a request came to the host of a URL. */
export function isAt({ host }: FastifyRequest, url: string): boolean {
  return canonicalHost(url, host) === new URL(url).host
}
