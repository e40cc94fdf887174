import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../../http/parameters/types.js'
import { PublicUser } from '../../../http/presenters/present-user.js'

const Usage = OneOf('auth', 'signing', 'auth_and_signing')

export const SshKey = Type.Object({
  id: described(Type.Integer(), 'ID of the key.'),
  title: described(Type.String(), 'Title of the key.'),
  key: described(Type.String(), 'Public key; its comment is shown only to its owner and administrators.'),
  created_at: described(DateTime(), 'Time of creation.'),
  expires_at: described(Nullable(DateTime()), 'Expiry time; null if it does not expire.'),
  last_used_at: described(Nullable(DateTime()), 'Time of the last use; null if it was never used.'),
  usage_type: described(Usage, 'Usage: authentication, signing or both.'),
})
export type SshKey = Static<typeof SshKey>

export const SshKeyWithUser = Type.Object({
  ...SshKey.properties,
  user: described(PublicUser, 'Owner of the key.'),
})
export type SshKeyWithUser = Static<typeof SshKeyWithUser>

const newSshKey = {
  title: described(Type.String({ minLength: 1, maxLength: 255 }), 'Title of the key.'),
  key: described(
    Type.String({ minLength: 1, maxLength: 5000 }),
    'Public key in the OpenSSH format, one line.',
  ),
  expires_at: described(
    Type.Optional(Nullable(DateTime())),
    'Expiry time, in the future; by default the key does not expire.',
  ),
  usage_type: described(Type.Optional(Usage), 'Usage of the key; default `auth_and_signing`.'),
}

export const NewSshKey = Type.Object(newSshKey)
export type NewSshKey = Static<typeof NewSshKey>

const UserNumber = Type.Object({ id: described(Type.Integer(), 'ID of the user.') })
export const NewSshKeyOfUser = Type.Object({ ...UserNumber.properties, ...newSshKey })

export const KeyId = Type.Object({ key_id: described(Type.Integer(), 'ID of the key.') })
export const KeyIdOfUser = Type.Object({ ...UserNumber.properties, ...KeyId.properties })

const ofUserNamed = { id: described(Type.String(), 'ID or username.') }
export const UserNamed = Type.Object(ofUserNamed)
export const KeyIdOfUserNamed = Type.Object({ ...ofUserNamed, ...KeyId.properties })

export const AnyKeyId = Type.Object({ id: described(Type.Integer(), 'ID of the key.') })
export const Fingerprint = Type.Object({
  fingerprint: described(
    Type.String({ minLength: 1 }),
    'Fingerprint: `SHA256:` and the digest in Base64, or the MD5 digest in hexadecimal with colons.',
  ),
})

export const GpgKey = Type.Object({
  id: described(Type.Integer(), 'ID of the key.'),
  key: described(Type.String(), 'Public key, ASCII-armored.'),
  fingerprint: described(Type.String(), 'Fingerprint of the primary key, in upper-case hexadecimal.'),
  created_at: described(DateTime(), 'Time of creation.'),
})
export type GpgKey = Static<typeof GpgKey>

const ArmoredKey = described(
  Type.String({ minLength: 1, maxLength: 200_000 }),
  'ASCII-armored OpenPGP public key of version 4.',
)
export const NewGpgKey = Type.Object({ key: ArmoredKey })
export const NewGpgKeyOfUser = Type.Object({ ...UserNumber.properties, key: ArmoredKey })
