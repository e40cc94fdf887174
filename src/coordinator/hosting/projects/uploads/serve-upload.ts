import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Caller, Project } from '../../../access/caller.js'
import { parseUploadAddress } from './upload-address.js'
import { isShown, uploadHeaders } from './upload-headers.js'
import { findUpload, openUpload, type UploadDeps } from './uploads.js'

export interface UploadPageDeps extends UploadDeps {
  findProject: (idOrPath: string) => Promise<Project | undefined>
  readCaller: (request: FastifyRequest) => Promise<Caller>
  /** Whether the caller may see the project. */
  maySee: (caller: Caller, project: Project) => Promise<boolean>
}

/**
 * Returns a handler for upload URLs, which resolves to whether it has answered. Images are public to anyone
 * who knows the URL, because pages embed them without credentials. Other files require access to the project
 * (API, C2).
 */
export function uploadServer(
  deps: UploadPageDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  return async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const address = isRead ? parseUploadAddress(request.raw.url ?? '/') : undefined
    if (!address) return false
    const project = await deps.findProject(address.project)
    const upload = project && (await findUpload(deps.database, project.id, address.secret, address.filename))
    if (!upload) return false
    if (!isShown(upload) && !(await deps.maySee(await deps.readCaller(request), project))) return false
    const headers = uploadHeaders(upload)
    if (request.headers['if-none-match'] === headers['etag']) {
      await reply
        .status(304)
        .headers({ etag: `"${upload.secret}"` })
        .send()
      return true
    }
    await reply.headers(headers).send(request.method === 'HEAD' ? '' : await openUpload(deps, upload))
    return true
  }
}
