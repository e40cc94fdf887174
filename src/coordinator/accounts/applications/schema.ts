import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'

const NumberOfApplication = described(Type.Integer(), 'ID of the application.')
const CONFIDENTIAL =
  'Whether the application can keep its secret confidential. An application on user devices or in a web page cannot.'

/** API, A14. */
export const Application = Type.Object({
  id: NumberOfApplication,
  application_id: described(Type.String(), 'Client ID: its `client_id`.'),
  application_name: described(Type.String(), 'Name of the application.'),
  callback_url: described(Type.String(), 'Redirect URIs, one per line.'),
  confidential: described(Type.Boolean(), CONFIDENTIAL),
  scopes: described(Type.Array(Type.String()), 'Scopes that it may request.'),
})
export type Application = Static<typeof Application>

/** A new application with its secret, which is shown only once. */
export const NewApplication = Type.Object({
  ...Application.properties,
  secret: described(Type.String(), 'Client secret: its `client_secret`; shown only once.'),
})
export type NewApplication = Static<typeof NewApplication>

const Name = described(Type.String({ minLength: 1, maxLength: 255 }), 'Name of the application.')
const RedirectUri = described(
  Type.String({ minLength: 1, maxLength: 10_000 }),
  'Redirect URIs, one per line: absolute, without a fragment.',
)
const Scopes = described(
  Type.Array(Type.String()),
  'Scopes that the application may request, as for personal access tokens; also as one string with spaces. ' +
    '`openid` allows it to identify the user, `email` also to read the primary e-mail address.',
)

export const CreateApplication = Type.Object({
  name: Name,
  redirect_uri: RedirectUri,
  scopes: Scopes,
  confidential: described(Type.Optional(Type.Boolean()), `${CONFIDENTIAL} Default true.`),
})
export type CreateApplication = Static<typeof CreateApplication>

const Changes = {
  name: Type.Optional(Name),
  redirect_uri: Type.Optional(RedirectUri),
  scopes: Type.Optional(Scopes),
  confidential: described(Type.Optional(Type.Boolean()), CONFIDENTIAL),
}
export type ChangeApplication = Partial<CreateApplication>

export const ApplicationId = Type.Object({ id: NumberOfApplication })
export const ChangeInstanceApplication = Type.Object({ id: NumberOfApplication, ...Changes })

const OwnId = described(Type.Integer({ minimum: 1 }), 'ID of the application.')
export const OwnApplicationId = Type.Object({ application_id: OwnId })
export const ChangeOwnApplication = Type.Object({ application_id: OwnId, ...Changes })
