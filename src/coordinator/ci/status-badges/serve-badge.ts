import type { FastifyReply, FastifyRequest } from 'fastify'

import { type ProjectAddressDeps, projectAddressServer } from '../../http/project-address-server.js'
import type { StoredRefDeps } from '../engine/stored-ref.js'
import { parseBadgeAddress } from './badge-address.js'
import { badgeOf } from './badges.js'

export interface BadgeDeps extends StoredRefDeps, ProjectAddressDeps {}

/** Disables caching, because a badge must show the current state. */
const HEADERS = {
  'content-type': 'image/svg+xml',
  'cache-control': 'private, no-cache, no-store, max-age=0',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/**
 * Handles a request for a badge; returns whether it was one. A badge is visible to everyone who may see the
 * pipelines of the project; others get 404 (CI language, 17.4).
 */
export function badgeServer(
  deps: BadgeDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  return projectAddressServer(deps, {
    parse: parseBadgeAddress,
    scopes: [],
    permission: 'read_pipelines',
    respond: async ({ address, project }, _request, reply) => {
      await reply.headers(HEADERS).send(await badgeOf(deps, project, address))
      return true
    },
  })
}
