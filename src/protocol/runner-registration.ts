import { type Static, Type } from 'typebox'

import { RunnerInfo } from './runner-info.js'

export const RunnerAccessLevel = Type.Union([Type.Literal('not_protected'), Type.Literal('ref_protected')])
export type RunnerAccessLevel = Static<typeof RunnerAccessLevel>

/** Body of `POST /runners`; `token` is a registration token (runner protocol, 1.4). */
export const RegisterRunner = Type.Object({
  token: Type.String(),
  description: Type.Optional(Type.String({ maxLength: 1024 })),
  /** A comma separated string on the wire of the reference runner; an array is accepted too. */
  tag_list: Type.Optional(Type.Array(Type.String())),
  run_untagged: Type.Optional(Type.Boolean()),
  locked: Type.Optional(Type.Boolean()),
  access_level: Type.Optional(RunnerAccessLevel),
  /** Seconds, at least 600. */
  maximum_timeout: Type.Optional(Type.Integer()),
  paused: Type.Optional(Type.Boolean()),
  active: Type.Optional(Type.Boolean()),
  maintenance_note: Type.Optional(Type.String({ maxLength: 1024 })),
  info: Type.Optional(RunnerInfo),
})
export type RegisterRunner = Static<typeof RegisterRunner>

/** Answer of register (201) and verify (200) (runner protocol, 1.4). */
export const RunnerCredentials = Type.Object({
  id: Type.Integer(),
  token: Type.String(),
  token_expires_at: Type.Union([Type.String(), Type.Null()]),
})
export type RunnerCredentials = Static<typeof RunnerCredentials>

/** Answer of a token reset (201). */
export const NewRunnerToken = Type.Omit(RunnerCredentials, ['id'])
export type NewRunnerToken = Static<typeof NewRunnerToken>

/** Body of `POST /runners/verify`; `token` is a runner authentication token. */
export const VerifyRunner = Type.Object({
  token: Type.String(),
  system_id: Type.Optional(Type.String({ maxLength: 64 })),
  info: Type.Optional(RunnerInfo),
})
export type VerifyRunner = Static<typeof VerifyRunner>
