import { type Static, Type } from 'typebox'

import { described } from './described.js'
import { RunnerInfo } from './runner-info.js'

export const RunnerAccessLevel = Type.Union([Type.Literal('not_protected'), Type.Literal('ref_protected')])
export type RunnerAccessLevel = Static<typeof RunnerAccessLevel>

/** Body of `POST /runners`; `token` is a registration token (runner protocol, 1.4). */
export const RegisterRunner = Type.Object({
  token: described(Type.String(), 'A registration token of the instance, a group or a project.'),
  description: described(Type.Optional(Type.String({ maxLength: 1024 })), 'What its users call it.'),

  tag_list: described(
    Type.Optional(Type.Array(Type.String())),
    'Tags whose jobs it takes; a list, or one text with commas.',
  ),
  run_untagged: described(
    Type.Optional(Type.Boolean()),
    'Whether it takes jobs without tags; true by default.',
  ),
  locked: described(
    Type.Optional(Type.Boolean()),
    'Whether it can be enabled in no further project; false by default.',
  ),
  access_level: described(
    Type.Optional(RunnerAccessLevel),
    '`ref_protected`: takes only jobs of protected branches and tags.',
  ),

  maximum_timeout: described(
    Type.Optional(Type.Integer()),
    'Most seconds that a job may run on it, at least 600; absent = no limit of its own.',
  ),
  paused: described(Type.Optional(Type.Boolean()), 'Whether it is given no jobs; false by default.'),
  active: described(Type.Optional(Type.Boolean()), 'Older form of `paused`, turned round.'),
  maintenance_note: described(
    Type.Optional(Type.String({ maxLength: 1024 })),
    'Notes for those who maintain it.',
  ),
  info: described(Type.Optional(RunnerInfo), 'What the program tells of itself.'),
})
export type RegisterRunner = Static<typeof RegisterRunner>

/** Answer of register (201) and verify (200) (runner protocol, 1.4). */
export const RunnerCredentials = Type.Object({
  id: described(Type.Integer(), 'Number of the runner.'),
  token: described(Type.String(), 'Its authentication token.'),
  token_expires_at: described(Type.Union([Type.String(), Type.Null()]), 'When that ends; null = never.'),
})
export type RunnerCredentials = Static<typeof RunnerCredentials>

/** Answer of a token reset (201). */
export const NewRunnerToken = Type.Omit(RunnerCredentials, ['id'])
export type NewRunnerToken = Static<typeof NewRunnerToken>

/** Body of `POST /runners/verify`; `token` is a runner authentication token. */
export const VerifyRunner = Type.Object({
  token: described(Type.String(), 'The authentication token.'),
  system_id: described(
    Type.Optional(Type.String({ maxLength: 64 })),
    'Identifier that the machine has given itself.',
  ),
  info: described(Type.Optional(RunnerInfo), 'What the program tells of itself.'),
})
export type VerifyRunner = Static<typeof VerifyRunner>
