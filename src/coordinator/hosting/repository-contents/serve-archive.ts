import type { FastifyReply, FastifyRequest } from 'fastify'

import { type ProjectAddressDeps, projectAddressServer } from '../../http/project-address-server.js'
import { readingFor } from '../repositories/reading-for.js'
import type { Repositories } from '../repositories/repositories.js'
import { parseArchiveAddress } from './archive-page.js'
import { archiveResponse } from './send-archive.js'

export interface ArchivePageDeps extends ProjectAddressDeps {
  repositories: Repositories
}

/**
 * Returns a handler for archive URLs outside the API. It resolves to true after responding, and to false if
 * there is no such archive or the caller may not read the code.
 */
export function archiveServer(
  deps: ArchivePageDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  return projectAddressServer(deps, {
    parse: parseArchiveAddress,
    scopes: ['read_repository'],
    permission: 'read_code',
    respond: async ({ address, project }, { method }, reply) => {
      const reading = readingFor(deps, { project, reply })
      const result = await archiveResponse(deps.repositories, project, reading, {
        revision: address.ref,
        format: address.format,
        isHead: method === 'HEAD',
        hasShortName: address.name === `${project.path}-${address.ref.replaceAll('/', '-')}`,
      })
      await reply.headers(result.headers).type(result.contentType).send(result.body)
      return true
    },
  })
}
