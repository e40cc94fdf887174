import type { Database } from '../../database/connect.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { isPgp, issuerKeyId } from './pgp-issuer.js'
import type { Signature } from './schema.js'
import type { SignedObject } from './signed-object.js'
import { fingerprintOf, isSignedBySsh, readSshSignature, type SshSignature } from './ssh-signature.js'
import { findPgpKeyId, findSigningKey, hasConfirmedEmail, type SigningKeyRow } from './store.js'

/** Namespace in which git signs. */
const NAMESPACE = 'git'

/**
 * The record of the signature of a commit or tag, verified with the SSH keys of users. `email` is the address of the
 * committer or tagger. Undefined for a kind of signature that is not known, such as X.509.
 */
export async function describeSignature(
  database: Database,
  { payload, signature }: SignedObject,
  email: string,
): Promise<Signature | undefined> {
  if (isPgp(signature)) return describePgp(database, signature)
  if (!signature.startsWith('-----BEGIN SSH SIGNATURE-----')) return undefined
  const read = readSshSignature(signature)
  const key = read && (await findSigningKey(database, fingerprintOf(read.publicKey)))
  return {
    signature_type: 'SSH',
    verification_status: await statusOf(database, { read, key, payload, email }),
    key: key ? presentKey(key) : null,
    commit_source: 'gitaly',
  }
}

interface Facts {
  read: SshSignature | undefined
  key: SigningKeyRow | undefined
  payload: Buffer
  email: string
}

/**
 * It does not depend on the owner of a foreign address, because otherwise signatures would reveal the owners of private
 * addresses.
 */
async function statusOf(database: Database, { read, key, payload, email }: Facts) {
  const isRight = read !== undefined && read.namespace === NAMESPACE && isSignedBySsh(payload, read)
  if (!isRight) return 'unverified'
  if (!key) return 'unknown_key'
  return (await hasConfirmedEmail(database, key.user_id, email)) ? 'verified' : 'unverified'
}

function presentKey({ id, title, key, usage_type, ...times }: SigningKeyRow) {
  const [type = '', encoded = ''] = key.split(/[ \t]+/)
  return {
    id,
    title,
    key: `${type} ${encoded}`,
    created_at: isoTime(times.created_at),
    expires_at: isoTimeOrNull(times.expires_at),
    last_used_at: isoTimeOrNull(times.last_used_at),
    usage_type,
  }
}

async function describePgp(database: Database, signature: string): Promise<Signature> {
  const keyId = issuerKeyId(signature)
  const id = keyId === undefined ? undefined : await findPgpKeyId(database, keyId)
  return {
    signature_type: 'PGP',
    verification_status: id === undefined ? 'unknown_key' : 'unverified',
    gpg_key_id: id ?? null,
    gpg_key_primary_keyid: keyId ?? null,
    gpg_key_user_name: null,
    gpg_key_user_email: null,
    gpg_key_subkey_id: null,
    commit_source: 'gitaly',
  }
}
