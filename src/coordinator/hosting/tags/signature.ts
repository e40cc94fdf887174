import { parseTagger } from '../../../git/parse-tag-message.js'
import type { Project } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import type { Reading } from '../repositories/browse/reading.js'
import { describeSignature } from '../signatures/describe-signature.js'
import type { Signature } from '../signatures/schema.js'
import { MAX_SIGNED_BYTES, signedTag } from '../signatures/signed-object.js'
import { requireTag } from './change-tags.js'
import type { TagDeps } from './describe-tags.js'

/** The record of the signature of a tag. Throws 404 for a tag without one. */
export async function signatureOfTag(
  { pushes }: TagDeps,
  project: Project,
  { objects }: Reading,
  name: string,
): Promise<Signature> {
  await requireTag(pushes, project, name)
  const object = await objects.read(`refs/tags/${name}`, MAX_SIGNED_BYTES)
  const signed = object?.type === 'tag' ? signedTag(object.content) : undefined
  const email = object ? parseTagger(object.content)?.email : undefined
  const found = signed && (await describeSignature(pushes.database, signed, email ?? ''))
  if (!found) throw notFound('Signature')
  return found
}
