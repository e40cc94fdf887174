import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, Nullable } from '../../http/parameters/types.js'

export const PasskeyRecord = Type.Object({
  id: described(Type.Integer(), 'ID of the passkey.'),
  name: described(Type.String(), 'Name that the user has given.'),
  created_at: described(DateTime(), 'Creation time.'),
  last_used_at: described(Nullable(DateTime()), 'Time of its last use; null if it was never used.'),
})
export type PasskeyRecord = Static<typeof PasskeyRecord>

export const TwoFactorRecord = Type.Object({
  enabled: described(Type.Boolean(), 'Whether the user has a second factor.'),
  totp_enabled: described(Type.Boolean(), 'Whether an authenticator app is one.'),
  passkeys: described(Type.Array(PasskeyRecord), 'Passkeys, the oldest first.'),
  recovery_codes_left: described(Type.Integer(), 'Number of recovery codes that were not used.'),
  required_from: described(
    Nullable(DateTime()),
    'Time from which on the user needs a second factor; null for a user who has one or needs none.',
  ),
  offers_passkeys: described(
    Type.Boolean(),
    'Whether browsers offer passkeys at the address of this instance.',
  ),
})
export type TwoFactorRecord = Static<typeof TwoFactorRecord>

export const NewTotpRecord = Type.Object({
  secret: described(Type.String(), 'Secret, in base32. It is a factor from its first code on.'),
  address: described(Type.String(), 'The secret as an address `otpauth:`.'),
  qr_code: described(Type.String(), 'The address as a QR code, in SVG.'),
})
export type NewTotpRecord = Static<typeof NewTotpRecord>

const Codes = Type.Array(Type.String())

export const RecoveryCodes = Type.Object({
  recovery_codes: described(
    Nullable(Codes),
    'Ten codes that replace the second factor once each; null if the user has codes already. They are not shown again.',
  ),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const NewPasskeyRecord = Type.Object({
  passkey: described(PasskeyRecord, 'The new passkey.'),
  recovery_codes: RecoveryCodes.properties.recovery_codes,
})
export type NewPasskeyRecord = Static<typeof NewPasskeyRecord>

export const GivenCode = Type.Object({
  code: described(Type.String({ minLength: 1, maxLength: 40 }), 'Code that the app shows now.'),
})

/** What the browser gets for `navigator.credentials`, as Web Authentication defines it. */
export const CredentialOptions = described(
  Type.Object({}, { additionalProperties: true }),
  'Options in the JSON form of Web Authentication.',
)

const Name = Type.String({ minLength: 1, maxLength: 100 })

export const PasskeyNumber = Type.Object({ passkey_id: described(Type.Integer(), 'ID of the passkey.') })

export const AddPasskey = Type.Object({
  name: described(Name, 'Name for the passkey.'),
  credential: described(
    Type.String({ minLength: 2, maxLength: 20_000 }),
    'What the browser made of the options, as the text of its JSON form.',
  ),
})

export const RenamePasskey = Type.Object({
  ...PasskeyNumber.properties,
  name: described(Name, 'New name.'),
})
