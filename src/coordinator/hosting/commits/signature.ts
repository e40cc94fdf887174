import { unreadableObject } from '../../../git/errors.js'
import { parseCommit } from '../../../git/parse-commit.js'
import { notFound } from '../../http/errors.js'
import { readingFor } from '../repositories/reading-for.js'
import { describeSignature } from '../signatures/describe-signature.js'
import type { Signature } from '../signatures/schema.js'
import { MAX_SIGNED_BYTES, signedCommit } from '../signatures/signed-object.js'
import { type CommitCall } from './about-commit.js'
import type { CommitDeps } from './list-commits.js'

/** The record of the signature of a commit. Throws 404 for a commit without one. */
export async function signatureOf(deps: CommitDeps, call: CommitCall, sha: string): Promise<Signature> {
  const object = await readingFor(deps.pushes, call).objects.read(sha, MAX_SIGNED_BYTES)
  if (object?.type !== 'commit') throw unreadableObject(sha)
  const signed = signedCommit(object.content)
  const { committerEmail } = parseCommit(sha, object.content)
  const found = signed && (await describeSignature(deps.pushes.database, signed, committerEmail))
  if (!found) throw notFound('Signature')
  return found
}
