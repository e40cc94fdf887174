import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

import { requestAddress } from '../../../lib/request-address.js'
import { MAINTAINER } from '../../access/access-levels.js'
import type { Database } from '../../database/connect.js'
import { isoTime } from '../../http/presenters/present-time.js'
import type { Admitted, AdmittedPusher } from '../repositories/http/git-access.js'
import { type LfsError, lfsError } from './lfs-error.js'
import { createLock, deleteLfsLock, findLock, type LfsLock, listLocks } from './locks.js'
import { bodyReader, readerOrRefuse } from './read-body.js'

/** Of a page. */
const MAX_LOCKS = 100

/** PostgreSQL indexes no longer texts. */
const MAX_PATH_BYTES = 2000

const Page = {
  cursor: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
}
const Search = Type.Object({
  ...Page,
  path: Type.Optional(Type.String()),
  id: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
})
const NewLock = Type.Object({ path: Type.String({ minLength: 1 }) })
const Verify = Type.Object(Page)
const Unlock = Type.Object({ force: Type.Optional(Type.Boolean()) })

const readSearch = readerOrRefuse(Search)
const readNewLock = bodyReader(NewLock)
const readVerify = bodyReader(Verify)
const readUnlock = bodyReader(Unlock)

/** `GET locks`: the locks of the project. */
export async function sendLocks(database: Database, { project }: Admitted, request: FastifyRequest) {
  const { searchParams } = requestAddress(request.raw.url ?? '/')
  const search = readSearch(Object.fromEntries(searchParams))
  const { locks, next } = await pageOf(database, project.id, search)
  return { locks: locks.map(present), ...next }
}

/** `POST locks/verify`: the locks of the project, those of the caller apart. */
export async function verifyLocks(
  database: Database,
  { project, user }: AdmittedPusher,
  { raw }: FastifyRequest,
) {
  const { locks, next } = await pageOf(database, project.id, await readVerify(raw))
  const isOwn = ({ user_id }: LfsLock) => user_id === user.id
  return {
    ours: locks.filter(isOwn).map(present),
    theirs: locks.filter((lock) => !isOwn(lock)).map(present),
    ...next,
  }
}

/** `POST locks`: locks a file for the caller, on all branches. */
export async function lockFile(
  database: Database,
  { project, user }: AdmittedPusher,
  { raw }: FastifyRequest,
) {
  const { path } = await readNewLock(raw)
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw lfsError('lfs_path_too_long', { max: MAX_PATH_BYTES })
  }
  const { lock, isNew } = await createLock(database, { project_id: project.id, path, user_id: user.id })
  if (!isNew) throw lfsError('lfs_already_locked', { owner: lock.owner }, { lock: present(lock) })
  return { lock: present(lock) }
}

/** `POST locks/:id/unlock`: removes the caller's own lock, or another with `force` for maintainers. */
export async function unlockFile(
  database: Database,
  { project, user, accessLevel }: AdmittedPusher,
  id: number,
  { raw }: FastifyRequest,
) {
  const { force = false } = await readUnlock(raw)
  const lock = await findLock(database, project.id, id)
  if (!lock) throw noLock()
  const isOwn = lock.user_id === user.id
  if (!isOwn && !force) throw lfsError('lfs_lock_of_other_user', { owner: lock.owner })
  if (!isOwn && accessLevel < MAINTAINER) {
    throw lfsError('lfs_unlock_forbidden')
  }
  if (!(await deleteLfsLock(database, lock))) throw noLock()
  return { lock: present(lock) }
}

function noLock(): LfsError {
  return lfsError('lfs_lock_missing')
}

async function pageOf(
  database: Database,
  projectId: number,
  { cursor: after = 0, limit: wanted = MAX_LOCKS, ...search }: Static<typeof Search>,
) {
  const limit = Math.min(wanted, MAX_LOCKS)
  const found = await listLocks(database, projectId, { ...search, after, limit })
  const locks = found.slice(0, limit)
  return { locks, next: found.length > limit ? { next_cursor: String(locks.at(-1)?.id) } : {} }
}

function present({ id, path, locked_at, owner }: LfsLock) {
  return { id: String(id), path, locked_at: isoTime(locked_at), owner: { name: owner } }
}
