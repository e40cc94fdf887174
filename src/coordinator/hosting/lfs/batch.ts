import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { lfsError } from './lfs-error.js'
import { type LfsObject, objectsByOid } from './objects.js'
import { bodyReader } from './read-body.js'

/** Clients ask for 100 by default. */
const MAX_OBJECTS = 1000

const Wanted = Type.Object({
  oid: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
})
type Wanted = Static<typeof Wanted>

const Batch = Type.Object({
  operation: Type.Union([Type.Literal('download'), Type.Literal('upload')]),
  transfers: Type.Optional(Type.Array(Type.String())),
  objects: Type.Array(Wanted),
  hash_algo: Type.Optional(Type.String()),
})
export type Batch = Static<typeof Batch>

const readBody = bodyReader(Batch)

/** Reads the body of a batch request; throws `LfsError` for one that cannot be served. */
export async function readBatch({ raw }: FastifyRequest): Promise<Batch> {
  const batch = await readBody(raw)
  if (batch.objects.length > MAX_OBJECTS) {
    throw lfsError('lfs_batch_too_large', { max: MAX_OBJECTS })
  }
  if (batch.hash_algo !== undefined && batch.hash_algo !== 'sha256') {
    throw lfsError('lfs_algorithm_not_supported')
  }
  return batch
}

export interface BatchContext {
  database: Database
  externalUrl: string
  project: Project
  /** Credentials of the batch request, which the transfers need too. */
  authorization: string | undefined
}

/** The objects of the response: how each is transferred, or why it cannot be. */
export async function runBatch(context: BatchContext, { operation, objects }: Batch) {
  const { database, project } = context
  const known = await objectsByOid(
    database,
    project.id,
    objects.map(({ oid }) => oid),
  )
  const one = operation === 'download' ? downloadOf : uploadOf
  return {
    transfer: 'basic',
    hash_algo: 'sha256',
    objects: objects.map((wanted) => one(context, wanted, known.get(wanted.oid))),
  }
}

function downloadOf(context: BatchContext, wanted: Wanted, known: LfsObject | undefined) {
  const { oid } = wanted
  if (!known)
    return { ...wanted, error: { code: 404, message: 'The object does not exist in this project.' } }
  return { oid, size: known.size, authenticated: true, actions: { download: action(context, oid) } }
}

/** An object that the project has is not uploaded again. */
function uploadOf(context: BatchContext, wanted: Wanted, known: LfsObject | undefined) {
  const { oid, size } = wanted
  if (!known) {
    const upload = action(context, `${oid}/${size}`, { 'Content-Type': 'application/octet-stream' })
    return { oid, size, authenticated: true, actions: { upload } }
  }
  if (known.size === size) return { oid, size }
  return { oid, size, error: { code: 422, message: `The object has ${known.size} bytes.` } }
}

function action(
  { externalUrl, project, authorization }: BatchContext,
  path: string,
  headers: Record<string, string> = {},
) {
  const href = `${externalUrl}/${project.full_path}.git/gitlab-lfs/objects/${path}`
  const header = authorization === undefined ? headers : { ...headers, Authorization: authorization }
  return { href, header }
}
