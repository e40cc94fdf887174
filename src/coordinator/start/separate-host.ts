import type { FastifyInstance, FastifyRequest } from 'fastify'

import { requestAddress } from '../../lib/request-address.js'
import { VIEW_PREFIX } from '../ci/jobs/artifacts/in-place/view-address.js'
import { SITE_PREFIX } from '../ci/sites/site-address.js'
import { notFound } from '../http/errors.js'

/** Answered at every name, because load balancers use any of them. Sites lead from one host to the other. */
const HEALTH = new Set(['/-/health', '/-/readiness'])

/**
 * Serves the files of artifacts at the host of their own alone, and nothing else there: neither the API nor a page. By this
 * a link to a page that a job has made cannot look like a page of the coordinator.
 * @param artifactsUrl the origin of the host
 */
export function separateHost(app: FastifyInstance, artifactsUrl: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { pathname } = requestAddress(request.raw.url ?? '/')
    const isThere = isAt(request, artifactsUrl)
    const isFile = pathname.startsWith(VIEW_PREFIX)
    const isAtBoth = HEALTH.has(pathname) || pathname.startsWith(SITE_PREFIX)
    done(isThere === isFile || isAtBoth ? undefined : notFound())
  })
}

/** Whether a request came to the host of a URL. */
export function isAt(request: FastifyRequest, url: string): boolean {
  const { protocol, host } = new URL(url)
  return hostOf(request, protocol) === host
}

/** As URLs write it: in lower case, and without the usual port. */
function hostOf({ host }: FastifyRequest, protocol: string): string | undefined {
  const address = `${protocol}//${host}`
  return URL.canParse(address) ? new URL(address).host : undefined
}
