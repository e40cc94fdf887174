import { type Static, Type } from 'typebox'

import { described } from '../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../http/parameters/types.js'

export const UserNumber = Type.Object({ id: described(Type.Integer(), 'ID of the user.') })

export const SessionNumber = Type.Object({
  session_id: described(Type.Integer(), 'ID of the session.'),
})

export const SessionRecord = Type.Object({
  id: described(Type.Integer(), 'ID of the session.'),
  current: described(Type.Boolean(), 'Whether it is the session of the request.'),
  ip_address: described(Type.String(), 'IP address at the sign-in.'),
  user_agent: described(Nullable(Type.String()), '`User-Agent` of the browser at the sign-in.'),
  personal_access_token_id: described(
    Nullable(Type.Integer()),
    'ID of the personal access token with which the session ends; null if it ends with none.',
  ),
  second_factor: described(
    Nullable(OneOf('totp', 'recovery_code', 'passkey', 'provider')),
    'Second factor of the sign-in, `provider` for one that the identity provider has asked for; null if it had none.',
  ),
  provider: described(
    Nullable(Type.String()),
    'Name of the identity provider of the sign-in; null if it was another kind of sign-in.',
  ),
  created_at: described(DateTime(), 'Time of the sign-in.'),
  last_used_at: described(DateTime(), 'Time of the latest request, accurate to ten minutes.'),
  confirmed_at: described(
    Nullable(DateTime()),
    'Time at which the user last gave the password or a token; null if never in this session.',
  ),
  expires_at: described(DateTime(), 'Time at which the session ends, however it is used.'),
})
export type SessionRecord = Static<typeof SessionRecord>

export const SignInLinkRecord = Type.Object({
  url: described(Type.String(), 'URL that signs in once. It is not shown again.'),
  expires_at: described(DateTime(), 'Time until which the URL is valid.'),
})
export type SignInLinkRecord = Static<typeof SignInLinkRecord>

export const Confirm = Type.Object({
  password: described(
    Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    'Password of the current user.',
  ),
  token: described(
    Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    'Personal access token of the current user, with the scope `api`.',
  ),
  passkey: described(
    Type.Optional(Type.String({ minLength: 2, maxLength: 20_000 })),
    'What the browser made of the options for a passkey, as the text of its JSON form.',
  ),
  code: described(
    Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    'Code of the app, or a recovery code, beside the password or token of a user with a second factor.',
  ),
})

export const Confirmed = Type.Object({
  confirmed_at: described(DateTime(), 'Time of the confirmation.'),
  valid_until: described(DateTime(), 'Time until which it counts.'),
})
export type Confirmed = Static<typeof Confirmed>

export const NewPassword = Type.Object({
  password: described(Type.String({ minLength: 1, maxLength: 128 }), 'New password.'),
})
