import { type Static, Type } from 'typebox'

import { JobPayload } from '../../../../protocol/job-payload.js'
import { described, text } from '../../../http/parameters/described.js'
import { Nullable, OneOf } from '../../../http/parameters/types.js'

const WITHHELD_REASONS = [
  'masked',
  'protected',
  'file',
  'credentials',
  'personal',
  'contains_secret',
  'role',
  'external_secret',
  'id_token',
] as const
export type WithheldReason = (typeof WITHHELD_REASONS)[number]

export const WithheldVariable = Type.Object({
  key: text('Name of the variable.'),
  reason: described(
    OneOf(...WITHHELD_REASONS),
    'Why its value is not sent: it is `masked` (hidden ones are too), `protected`, a `file`, contains `credentials` of the job, is `personal`, contains the value of another secret, needs the `role` of a developer, is read from a secrets provider, or is an ID token.',
  ),
  file: described(Type.Boolean(), 'Whether the job got a file with the value.'),
})
export type WithheldVariable = Static<typeof WithheldVariable>

/** What it takes to run a job again elsewhere, without secrets. */
export const JobReproduction = Type.Object({
  payload: described(
    JobPayload,
    'What a runner gets, without tokens and without the variables of `withheld`. References to these are left in other variables.',
  ),
  withheld: described(Type.Array(WithheldVariable), 'Variables of the job whose values are not sent.'),
  images: described(
    Type.Array(
      Type.Object({
        name: text('Name of an image, with variables replaced.'),
        digest: described(
          Nullable(Type.String()),
          'Name in its registry with the digest, such as `alpine@sha256:…`; null if it was not pulled from one.',
        ),
      }),
    ),
    'Images that the job and its services used, as its log says; empty if it does not.',
  ),
  sources: described(
    Type.Array(
      Type.Object({
        id: described(Type.Integer(), 'ID of the job.'),
        project_id: described(Type.Integer(), 'ID of its project.'),
      }),
    ),
    'Projects of the jobs whose artifacts it downloads.',
  ),
})
export type JobReproduction = Static<typeof JobReproduction>
