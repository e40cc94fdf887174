import type { FastifyReply, FastifyRequest } from 'fastify'

import { may, type ProjectAccess } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import type { Authenticator } from '../../http/authentication/authenticator.js'
import { createCallerReader } from '../../http/authentication/caller.js'
import { clientGone } from '../../http/client-gone.js'
import { accessIn } from '../../http/handle-operation.js'
import type { RateLimits } from '../../http/rate-limits/rate-limits.js'
import { viewerOf } from '../../http/viewer.js'
import type { Repositories } from '../repositories/repositories.js'
import { parseArchiveAddress } from './archive-page.js'
import { archiveAnswer } from './send-archive.js'

export interface ArchivePageDeps {
  repositories: Repositories
  authenticator: Authenticator
  rateLimits: RateLimits
  externalUrl: string
  findProject: (idOrPath: string) => Promise<Project | undefined>
  projectAccessOf: (user: User, project: Project) => Promise<ProjectAccess>
}

/**
 * Returns a handler for archive URLs outside the API. It resolves to true after answering, and to false if
 * there is no such archive or the caller may not read the code.
 */
export function archiveServer(
  deps: ArchivePageDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  const scopes = ['read_repository']
  const readCaller = createCallerReader(deps, {
    method: 'GET',
    jobToken: false,
    open: true,
    session: 'page',
    scopes,
  })
  return async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const address = isRead ? parseArchiveAddress(request.raw.url ?? '/') : undefined
    if (!address) return false
    const caller = await readCaller(request, request.query as Record<string, unknown>)
    const project = await deps.findProject(address.project)
    const user = viewerOf(caller)
    if (!project || !may('read_code', { project, ...(await accessIn(deps, user, project)) })) return false
    const result = await archiveAnswer(deps.repositories, project, readingOf(deps, project, reply), {
      revision: address.ref,
      format: address.format,
      isHead: request.method === 'HEAD',
      hasShortName: address.name === `${project.path}-${address.ref.replaceAll('/', '-')}`,
    })
    await reply.headers(result.headers).type(result.contentType).send(result.body)
    return true
  }
}

function readingOf({ repositories }: ArchivePageDeps, project: Project, reply: FastifyReply) {
  return repositories.reading(project.id, clientGone(reply))
}
