import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'

const NumberOfApplication = described(Type.Integer(), 'Number of the application.')
const CONFIDENTIAL = 'Whether it can keep its secret; one on the machines of its users or in a page cannot.'

/** API, A14. */
export const Application = Type.Object({
  id: NumberOfApplication,
  application_id: described(Type.String(), 'What it calls itself: its `client_id`.'),
  application_name: described(Type.String(), 'What people call it.'),
  callback_url: described(Type.String(), 'Where users may be sent back to, one address a line.'),
  confidential: described(Type.Boolean(), CONFIDENTIAL),
})
export type Application = Static<typeof Application>

/** With the secret, which is told this once. */
export const NewApplication = Type.Object({
  ...Application.properties,
  secret: described(Type.String(), 'Its `client_secret`, which is told only now.'),
})
export type NewApplication = Static<typeof NewApplication>

export const CreateApplication = Type.Object({
  name: described(Type.String({ minLength: 1, maxLength: 255 }), 'What people call it.'),
  redirect_uri: described(
    Type.String({ minLength: 1, maxLength: 10_000 }),
    'Where users may be sent back to, one absolute address without a fragment a line.',
  ),
  scopes: described(
    Type.Array(Type.String()),
    'The most that it may be given, as of personal access tokens; also as one text with blanks between them. ' +
      'With `openid` it may learn who signs in, with `email` their primary address too.',
  ),
  confidential: described(Type.Optional(Type.Boolean()), `${CONFIDENTIAL} Default true.`),
})
export type CreateApplication = Static<typeof CreateApplication>

export const ApplicationId = Type.Object({ id: NumberOfApplication })
