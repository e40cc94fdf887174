import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Caller, Project } from '../../../access/caller.js'
import { parseUploadAddress, type UploadAddress } from './upload-address.js'
import { isShown, uploadHeaders } from './upload-headers.js'
import { findUpload, findUploadBySecret, openUpload, type UploadDeps, type UploadRow } from './uploads.js'

export interface UploadPageDeps extends UploadDeps {
  findProject: (idOrPath: string) => Promise<Project | undefined>
  readCaller: (request: FastifyRequest) => Promise<Caller>
  /** Whether the caller may see the project. */
  maySee: (caller: Caller, project: Project) => Promise<boolean>
}

/**
 * Returns a handler for upload URLs, which resolves to whether it has served. Images are public to anyone
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
    const { project, upload } = await find(deps, address)
    if (!project || !upload) return false
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

/** Texts name an upload without its project, which the secret then identifies. */
async function find(
  { database, findProject }: UploadPageDeps,
  { project: path, secret, filename }: UploadAddress,
): Promise<{ project?: Project | undefined; upload?: UploadRow | undefined }> {
  if (path !== undefined) {
    const project = await findProject(path)
    return project ? { project, upload: await findUpload(database, project.id, secret, filename) } : {}
  }
  const upload = await findUploadBySecret(database, secret)
  if (upload?.filename !== filename) return {}
  return { project: await findProject(String(upload.project_id)), upload }
}
