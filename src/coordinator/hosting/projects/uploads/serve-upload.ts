import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Caller, Project } from '../../../access/caller.js'
import { parseUploadAddress } from './upload-address.js'
import { isShown, uploadHeaders } from './upload-headers.js'
import { findUpload, openUpload, type UploadDeps } from './uploads.js'

export interface UploadPageDeps extends UploadDeps {
  findProject: (idOrPath: string) => Promise<Project | undefined>
  readCaller: (request: FastifyRequest) => Promise<Caller>
  /** Whether the caller may see the project at all. */
  maySee: (caller: Caller, project: Project) => Promise<boolean>
}

/**
 * Answers a request for an upload, and says whether it was one. AvatarFiles are shown to whoever knows their address, for
 * pages embed them without a credential; any other file is for those who may see the project (API, C2).
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
