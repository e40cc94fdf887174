import type { FastifyReply, FastifyRequest } from 'fastify'

import { ERROR_CODE_HEADER } from '../../http/error-handler.js'
import {
  admit,
  admitPusher,
  type Admitted,
  type AdmittedPusher,
  type GitAccess,
} from '../repositories/http/git-access.js'
import { redirectAddress } from '../repositories/http/git-path.js'
import { GitRefusedError } from '../repositories/http/git-refused-error.js'
import { ProjectRedirectError } from '../repositories/http/project-redirect-error.js'
import { type LargeFilesTarget, shownBy } from '../repositories/http/smart-http.js'
import { readBatch, runBatch } from './batch.js'
import { LfsError, lfsError } from './lfs-error.js'
import { lockFile, sendLocks, unlockFile, verifyLocks } from './lock-requests.js'
import { isOid, type LfsObjectDeps, type StatedObject } from './objects.js'
import { receiveObject, sendObject } from './transfer.js'

export interface LfsDeps extends LfsObjectDeps {
  access: GitAccess
  externalUrl: string
}

const MEDIA_TYPE = 'application/vnd.git-lfs+json; charset=utf-8'

type LfsHandler = (target: LargeFilesTarget, request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Serves Git LFS clients (API, B). Users who may fetch may download objects, and users who may push may upload them.
 */
export function lfsServer(deps: LfsDeps): LfsHandler {
  return async (target, request, reply) => {
    try {
      await respond(deps, target, request, reply)
    } catch (error) {
      await sendError(error, request, reply)
    }
  }
}

async function respond(
  deps: LfsDeps,
  target: LargeFilesTarget,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { action } = target
  const object = objectOf(action)
  if (object) return transfer(deps, target, object, request, reply)
  if (action === 'info/lfs/objects/batch' && request.method === 'POST') {
    return sendJson(reply, 200, await batch(deps, target, request))
  }
  const lockAction = /^info\/lfs\/locks(?:\/(.+))?$/.exec(action)
  if (lockAction) return serveLockRequest(deps, target, lockAction[1] ?? '', request, reply)
  throw lfsError('lfs_path_not_found')
}

/** `action` is the path below `locks/`. Users who may fetch see locks; users who may push may hold them. */
async function serveLockRequest(
  deps: LfsDeps,
  { fullPath }: LargeFilesTarget,
  action: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { database } = deps
  const id = /^(\d{1,15})\/unlock$/.exec(action)?.[1]
  const call = `${request.method} ${id === undefined ? action : ':id/unlock'}`
  const pusher = () => admittedPusher(deps, fullPath, request)
  switch (call) {
    case 'GET ':
      return sendJson(reply, 200, await sendLocks(database, await admitted(deps, fullPath, request), request))
    case 'POST ':
      return sendJson(reply, 201, await lockFile(database, await pusher(), request))
    case 'POST verify':
      return sendJson(reply, 200, await verifyLocks(database, await pusher(), request))
    case 'POST :id/unlock':
      return sendJson(reply, 200, await unlockFile(database, await pusher(), Number(id), request))
    default:
      throw lfsError('lfs_path_not_found')
  }
}

async function batch(deps: LfsDeps, { fullPath }: LargeFilesTarget, request: FastifyRequest) {
  const { authorization } = request.headers
  // Checked before the body is read, because only callers who see the project may send one.
  const { project } = await admitted(deps, fullPath, request)
  const wanted = await readBatch(request)
  if (wanted.operation === 'upload') await admittedPusher(deps, fullPath, request)
  return runBatch({ ...deps, project, authorization }, wanted)
}

async function transfer(
  deps: LfsDeps,
  { fullPath }: LargeFilesTarget,
  { oid, size }: TransferredObject,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (request.method === 'PUT' && size !== undefined) {
    const { project } = await admittedPusher(deps, fullPath, request)
    await receiveObject(deps, project.id, { oid, size }, request)
    return sendJson(reply, 200, {})
  }
  if (size !== undefined || !['GET', 'HEAD'].includes(request.method)) throw lfsError('lfs_path_not_found')
  const { project } = await admitted(deps, fullPath, request)
  return sendObject(deps, project.id, oid, request, reply)
}

/** Throws unless the caller may fetch and the project uses Git LFS. */
async function admitted({ access }: LfsDeps, fullPath: string, request: FastifyRequest): Promise<Admitted> {
  return checked(await admit(access, 'git-upload-pack', shownBy(request), fullPath))
}

/** Throws unless the caller may push and the project uses Git LFS. */
async function admittedPusher(
  { access }: LfsDeps,
  fullPath: string,
  request: FastifyRequest,
): Promise<AdmittedPusher> {
  return checked(await admitPusher(access, shownBy(request), fullPath))
}

function checked<Caller extends Admitted>(admitted: Caller): Caller {
  if (!admitted.project.lfs_enabled) throw lfsError('lfs_not_enabled')
  return admitted
}

type TransferredObject = Omit<StatedObject, 'size'> & { size: number | undefined }

/** The object of a transfer URL; undefined for other URLs. */
function objectOf(action: string): TransferredObject | undefined {
  const [, oid = '', size] = /^gitlab-lfs\/objects\/([^/]+)(?:\/(\d{1,15}))?$/.exec(action) ?? []
  return isOid(oid) ? { oid, size: size === undefined ? undefined : Number(size) } : undefined
}

async function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { raw } = request
  if (raw.destroyed && !raw.complete) return // the client has gone in the middle of its upload
  if (error instanceof ProjectRedirectError) {
    // 307 repeats the method and the body.
    await reply.redirect(redirectAddress(raw.url ?? '/', error.fullPath), 307)
    return
  }
  if (error instanceof GitRefusedError) {
    const challenge = error.headers['www-authenticate']
    reply.headers({
      [ERROR_CODE_HEADER]: error.code,
      ...error.headers,
      ...(challenge !== undefined && { 'lfs-authenticate': challenge }),
    })
    return sendJson(reply, error.status, { message: error.message })
  }
  if (!(error instanceof LfsError)) throw error // served by the error handler of the application
  reply.header(ERROR_CODE_HEADER, error.code)
  return sendJson(reply, error.status, { ...error.details, message: error.message })
}

async function sendJson(reply: FastifyReply, status: number, body: object): Promise<void> {
  await reply
    .status(status)
    .headers({ 'cache-control': 'no-store' })
    .type(MEDIA_TYPE)
    .send(JSON.stringify(body))
}
