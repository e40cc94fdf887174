import { type Static, Type } from 'typebox'

/** Where a value lies in HashiCorp Vault, and how to log in there (runner protocol, 2.14). */
export const VaultSecret = Type.Object({
  server: Type.Object({
    url: Type.String(),
    namespace: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    auth: Type.Object({
      name: Type.String(),
      /** Where the way to log in is mounted. */
      path: Type.String(),
      data: Type.Record(Type.String(), Type.Unknown()),
    }),
  }),
  engine: Type.Object({ name: Type.String(), path: Type.String() }),
  path: Type.String(),
  field: Type.String(),
})
export type VaultSecret = Static<typeof VaultSecret>

/** A variable whose value the runner fetches: exactly one provider is named, of which this runner knows `vault`. */
export const JobSecret = Type.Object({
  /** Whether the value goes to a file; it does when this is absent. */
  file: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  vault: Type.Optional(Type.Union([VaultSecret, Type.Null()])),
})
export type JobSecret = Static<typeof JobSecret>
