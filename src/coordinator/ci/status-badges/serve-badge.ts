import type { FastifyReply, FastifyRequest } from 'fastify'

import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import type { Authenticator } from '../../http/authentication/authenticator.js'
import { createCallerReader } from '../../http/authentication/caller.js'
import { accessIn } from '../../http/handle-operation.js'
import type { RateLimits } from '../../http/rate-limits/rate-limits.js'
import { viewerOf } from '../../http/viewer.js'
import type { StoredRefDeps } from '../engine/stored-ref.js'
import { parseBadgeAddress } from './badge-address.js'
import { badgeOf } from './badges.js'

export interface BadgeDeps extends StoredRefDeps {
  authenticator: Authenticator
  rateLimits: RateLimits
  externalUrl: string
  findProject: (idOrPath: string) => Promise<Project | undefined>
  projectAccessOf: Parameters<typeof accessIn>[0]['projectAccessOf']
}

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
  const readCaller = createCallerReader(deps, {
    method: 'GET',
    jobToken: false,
    open: true,
    session: 'page',
    scopes: [],
  })
  return async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const address = isRead ? parseBadgeAddress(request.raw.url ?? '/') : undefined
    if (!address) return false
    const caller = await readCaller(request, Object.fromEntries(address.query))
    const project = await deps.findProject(address.project)
    const user = viewerOf(caller)
    if (!project || !(await maySee(deps, user, project))) return false
    await reply.headers(HEADERS).send(await badgeOf(deps, project, address))
    return true
  }
}

async function maySee(deps: BadgeDeps, user: User | undefined, project: Project): Promise<boolean> {
  return may('read_pipelines', { project, ...(await accessIn(deps, user, project)) })
}
