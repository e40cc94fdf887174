import { type Static, Type } from 'typebox'

import { described } from './described.js'
import { RunnerInfo } from './runner-info.js'

export const RunnerAccessLevel = Type.Union([Type.Literal('not_protected'), Type.Literal('ref_protected')])
export type RunnerAccessLevel = Static<typeof RunnerAccessLevel>

/** Body of `POST /runners`; `token` is a registration token (runner protocol, 1.4). */
export const RegisterRunner = Type.Object({
  token: described(Type.String(), 'A registration token of the instance, a group or a project.'),
  description: described(Type.Optional(Type.String({ maxLength: 1024 })), 'Description of the runner.'),

  tag_list: described(
    Type.Optional(Type.Array(Type.String())),
    'Tags of jobs that it accepts; a list, or a text separated by commas.',
  ),
  run_untagged: described(
    Type.Optional(Type.Boolean()),
    'Whether it accepts jobs without tags; true by default.',
  ),
  locked: described(
    Type.Optional(Type.Boolean()),
    'Whether it cannot be enabled in other projects; false by default.',
  ),
  access_level: described(
    Type.Optional(RunnerAccessLevel),
    '`ref_protected`: accepts only jobs of protected branches and tags.',
  ),

  maximum_timeout: described(
    Type.Optional(Type.Integer()),
    'Maximum job duration, in seconds, at least 600; absent = no limit of its own.',
  ),
  paused: described(Type.Optional(Type.Boolean()), 'Whether it gets no jobs; false by default.'),
  active: described(Type.Optional(Type.Boolean()), 'Deprecated, the inverse of `paused`.'),
  maintenance_note: described(Type.Optional(Type.String({ maxLength: 1024 })), 'Notes for administrators.'),
  maintainer_note: described(
    Type.Optional(Type.String({ maxLength: 1024 })),
    'Deprecated name of `maintenance_note`.',
  ),
  info: described(Type.Optional(RunnerInfo), 'Information about the program.'),
})
export type RegisterRunner = Static<typeof RegisterRunner>

/** Response to register (201) and verify (200) (runner protocol, 1.4). */
export const RunnerCredentials = Type.Object({
  id: described(Type.Integer(), 'ID of the runner.'),
  token: described(Type.String(), 'Authentication token of the runner.'),
  token_expires_at: described(
    Type.Union([Type.String(), Type.Null()]),
    'Expiry time of the token; null = never.',
  ),
})
export type RunnerCredentials = Static<typeof RunnerCredentials>

/** Response to a token reset (201). */
export const NewRunnerToken = Type.Omit(RunnerCredentials, ['id'])
export type NewRunnerToken = Static<typeof NewRunnerToken>

/** Body of `POST /runners/verify`; `token` is a runner authentication token. */
export const VerifyRunner = Type.Object({
  token: described(Type.String(), 'The authentication token.'),
  system_id: described(
    Type.Optional(Type.String({ maxLength: 64 })),
    'Identifier that the machine generated for itself.',
  ),
  info: described(Type.Optional(RunnerInfo), 'Information about the program.'),
})
export type VerifyRunner = Static<typeof VerifyRunner>
