import type { FastifyInstance, FastifyRequest } from 'fastify'

import { requestAddress } from '../../lib/request-address.js'
import { VIEW_PREFIX } from '../ci/jobs/artifacts/in-place/view-address.js'
import { notFound } from '../http/errors.js'

/** Answered at every name, because load balancers use any of them. */
const HEALTH = new Set(['/-/health', '/-/readiness'])

/**
 * Serves the files of artifacts at the host of their own alone, and nothing else there: neither the API nor a page. By this
 * a link to a page that a job has made cannot look like a page of the coordinator.
 * @param artifactsUrl the origin of the host
 */
export function separateHost(app: FastifyInstance, artifactsUrl: string): void {
  const { protocol, host } = new URL(artifactsUrl)
  app.addHook('onRequest', (request, _reply, done) => {
    const { pathname } = requestAddress(request.raw.url ?? '/')
    const isThere = hostOf(request, protocol) === host
    const isFile = pathname.startsWith(VIEW_PREFIX)
    done(isThere === isFile || HEALTH.has(pathname) ? undefined : notFound())
  })
}

/** As URLs write it: in lower case, and without the usual port. */
function hostOf({ host }: FastifyRequest, protocol: string): string | undefined {
  const address = `${protocol}//${host}`
  return URL.canParse(address) ? new URL(address).host : undefined
}
