import { type Static, Type } from 'typebox'

import { described } from './described.js'

/** Where a value lies in HashiCorp Vault, and how to log in there (runner protocol, 2.14). */
export const VaultSecret = Type.Object({
  server: described(
    Type.Object({
      url: described(Type.String(), 'Its address.'),
      namespace: described(
        Type.Optional(Type.Union([Type.String(), Type.Null()])),
        'Its namespace; null = none.',
      ),
      auth: described(
        Type.Object({
          name: described(Type.String(), 'Name of the way.'),

          path: described(Type.String(), 'Where that is mounted.'),
          data: described(Type.Record(Type.String(), Type.Unknown()), 'What is sent.'),
        }),
        'How to log in there.',
      ),
    }),
    'The server of the secret.',
  ),
  engine: described(
    Type.Object({
      name: described(Type.String(), 'Its kind.'),
      path: described(Type.String(), 'Where it is mounted.'),
    }),
    'The engine that keeps it.',
  ),
  path: described(Type.String(), 'Path of the secret.'),
  field: described(Type.String(), 'Field of the secret.'),
})
export type VaultSecret = Static<typeof VaultSecret>

/** A variable whose value the runner fetches: exactly one provider is named, of which this runner knows `vault`. */
export const JobSecret = Type.Object({
  file: described(
    Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    'Whether the value goes to a file; it does when absent.',
  ),
  vault: described(
    Type.Optional(Type.Union([VaultSecret, Type.Null()])),
    'Where it lies in HashiCorp Vault; null = not there.',
  ),
})
export type JobSecret = Static<typeof JobSecret>
