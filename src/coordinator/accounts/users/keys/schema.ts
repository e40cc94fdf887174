import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../../http/parameters/types.js'
import { PublicUser } from '../../../http/presenters/present-user.js'

const Usage = OneOf('auth', 'signing', 'auth_and_signing')

export const SshKey = Type.Object({
  id: described(Type.Integer(), 'Number of the key.'),
  title: described(Type.String(), 'What the key is called.'),
  key: described(Type.String(), 'The public key; its comment is shown to its owner and administrators only.'),
  created_at: described(DateTime(), 'When it was added.'),
  expires_at: described(Nullable(DateTime()), 'When it is of no use any more; null = never.'),
  last_used_at: described(Nullable(DateTime()), 'When it was last used; null = never.'),
  usage_type: described(Usage, 'What it is for: signing in, signatures or both.'),
})
export type SshKey = Static<typeof SshKey>

export const SshKeyWithUser = Type.Object({
  ...SshKey.properties,
  user: described(PublicUser, 'Who has the key.'),
})
export type SshKeyWithUser = Static<typeof SshKeyWithUser>

const newSshKey = {
  title: described(Type.String({ minLength: 1, maxLength: 255 }), 'What the key is called.'),
  key: described(
    Type.String({ minLength: 1, maxLength: 5000 }),
    'The public key in the form of OpenSSH, one line.',
  ),
  expires_at: described(
    Type.Optional(Nullable(DateTime())),
    'When it is of no use any more, in the future; default never.',
  ),
  usage_type: described(Type.Optional(Usage), 'What it is for; default `auth_and_signing`.'),
}

export const NewSshKey = Type.Object(newSshKey)
export type NewSshKey = Static<typeof NewSshKey>

const UserNumber = Type.Object({ id: described(Type.Integer(), 'Number of the user.') })
export const NewSshKeyOfUser = Type.Object({ ...UserNumber.properties, ...newSshKey })

export const KeyId = Type.Object({ key_id: described(Type.Integer(), 'Number of the key.') })
export const KeyIdOfUser = Type.Object({ ...UserNumber.properties, ...KeyId.properties })

const ofUserNamed = { id: described(Type.String(), 'Number or username.') }
export const UserNamed = Type.Object(ofUserNamed)
export const KeyIdOfUserNamed = Type.Object({ ...ofUserNamed, ...KeyId.properties })

export const AnyKeyId = Type.Object({ id: described(Type.Integer(), 'Number of the key.') })
export const Fingerprint = Type.Object({
  fingerprint: described(
    Type.String({ minLength: 1 }),
    '`SHA256:` and the hash in base64, or the MD5 hash in hex with colons.',
  ),
})

export const GpgKey = Type.Object({
  id: described(Type.Integer(), 'Number of the key.'),
  key: described(Type.String(), 'The public key, armored.'),
  created_at: described(DateTime(), 'When it was added.'),
})
export type GpgKey = Static<typeof GpgKey>

const ArmoredKey = described(
  Type.String({ minLength: 1, maxLength: 200_000 }),
  'An armored OpenPGP public key of version 4.',
)
export const NewGpgKey = Type.Object({ key: ArmoredKey })
export const NewGpgKeyOfUser = Type.Object({ ...UserNumber.properties, key: ArmoredKey })
