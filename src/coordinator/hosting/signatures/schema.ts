import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'

const SigningKey = Type.Object({
  id: described(Type.Integer(), 'ID of the key.'),
  title: described(Type.String(), 'Title of the key.'),
  key: described(Type.String(), 'Public key, without its comment.'),
  created_at: described(Type.String(), 'Time of creation.'),
  expires_at: described(NullableText, 'Expiry time; null if it does not expire.'),
  last_used_at: described(NullableText, 'Time of the last sign-in with it; null if there was none.'),
  usage_type: described(OneOf('auth', 'signing', 'auth_and_signing'), 'Usage of the key.'),
})

const SshSignatureRecord = Type.Object({
  signature_type: described(Type.Literal('SSH'), 'Kind of the signature.'),
  verification_status: described(
    OneOf('verified', 'unverified', 'unknown_key'),
    '`verified`: a signing key of the user whose confirmed address the committer or tagger has. `unknown_key`: no user ' +
      'has the key for signing. `unverified`: the address is not one of the owner of the key, or the signature is wrong.',
  ),
  key: described(Nullable(SigningKey), 'Key of the signature; null if no user has it.'),
  commit_source: described(Type.Literal('gitaly'), 'Always `gitaly`.'),
})

const PgpSignatureRecord = Type.Object({
  signature_type: described(Type.Literal('PGP'), 'Kind of the signature.'),
  verification_status: described(
    OneOf('unverified', 'unknown_key'),
    'Signatures of OpenPGP are not verified. `unknown_key`: no user has the key that the signature names.',
  ),
  gpg_key_id: described(Nullable(Type.Integer()), 'ID of the key; null if no user has it.'),
  gpg_key_primary_keyid: described(
    NullableText,
    'Key ID that the signature names, in upper-case hexadecimal.',
  ),
  gpg_key_user_name: described(Type.Null(), 'Always null.'),
  gpg_key_user_email: described(Type.Null(), 'Always null.'),
  gpg_key_subkey_id: described(Type.Null(), 'Always null.'),
  commit_source: described(Type.Literal('gitaly'), 'Always `gitaly`.'),
})

/** The signature of a commit or tag (API, E3). */
export const Signature = Type.Union([SshSignatureRecord, PgpSignatureRecord])
export type Signature = Static<typeof Signature>
