import type { FastifyInstance } from 'fastify'

import { badgeServer } from '../../../src/coordinator/ci/status-badges/serve-badge.js'
import {
  createProjectAccessReader,
  createProjectFinder,
} from '../../../src/coordinator/hosting/projects/find-project.js'
import { Authenticator } from '../../../src/coordinator/http/authentication/authenticator.js'
import { DEFAULT_RATE_LIMITS, RateLimits } from '../../../src/coordinator/http/rate-limits/rate-limits.js'
import type { CiCoordinator } from './ci-coordinator.js'
import { EXTERNAL_URL, openApp, type TestApp } from './test-app.js'

/** An app that serves nothing but the badges of projects. */
export function openBadgeApp({ database, repositories }: CiCoordinator): TestApp {
  const serve = badgeServer({
    database,
    repositories,
    authenticator: new Authenticator(database),
    externalUrl: EXTERNAL_URL,
    rateLimits: new RateLimits(DEFAULT_RATE_LIMITS),
    findProject: createProjectFinder(database),
    projectAccessOf: createProjectAccessReader(database),
  })
  const pages = (app: FastifyInstance): void => {
    app.get('/*', async (request, reply) => {
      if (!(await serve(request, reply))) reply.callNotFound()
      return reply
    })
  }
  return openApp(database, [], { plugins: [pages] })
}
