import { type Static, Type } from 'typebox'

import { REPORTED_STATES } from '../../database/tables/commit-statuses.js'
import { described } from '../../http/parameters/described.js'
import { REF_NAME } from '../../http/parameters/ref-name.js'
import { Nullable, NullableText, OneOf, SortDirection } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

/** Status of a job or of an external system (API, E3). */
export const CommitStatus = Type.Object({
  id: described(Type.Integer(), 'ID of the commit status.'),
  sha: described(Type.String(), 'SHA of the commit.'),
  ref: described(Type.String(), 'Branch or tag of the status.'),
  status: described(Type.String(), 'Status of the job or external check.'),
  name: described(Type.String(), 'Name of the job or external check.'),
  target_url: described(NullableText, 'URL with details; null if there is none.'),
  description: described(NullableText, 'Short description; null if there is none.'),
  created_at: described(Type.String(), 'Time of creation.'),
  started_at: described(NullableText, 'Start time; null before the start.'),
  finished_at: described(NullableText, 'End time; null before the end.'),
  allow_failure: described(Type.Boolean(), 'Whether the pipeline succeeds when this status is failed.'),
  coverage: described(Nullable(Type.Number()), 'Code coverage, in percent; null if there is none.'),
  pipeline_id: described(Type.Integer(), 'ID of the pipeline.'),
  author: described(Nullable(PublicUser), 'User who set the status; null for a deleted account.'),
})
export type CommitStatus = Static<typeof CommitStatus>

export const NewStatus = Type.Object({
  sha: described(Type.String(), 'SHA of the commit.'),
  state: described(OneOf(...REPORTED_STATES), 'Status to set.'),
  ref: described(
    Type.Optional(Type.String({ minLength: 1 })),
    `Branch or tag: ${REF_NAME}. Derived from the commit if absent.`,
  ),
  name: described(
    Type.Optional(Type.String({ minLength: 1 })),
    'Name that tells this status from others; `default` if absent.',
  ),
  context: described(Type.Optional(Type.String({ minLength: 1 })), 'Alias of `name`.'),
  target_url: described(Type.Optional(Type.String()), 'URL with details.'),
  description: described(Type.Optional(Type.String()), 'Short description.'),
  coverage: described(Type.Optional(Type.Number()), 'Code coverage, in percent.'),
  pipeline_id: described(
    Type.Optional(Type.Integer()),
    'ID of the pipeline to attach the status to; the newest pipeline of the commit if absent.',
  ),
})
export type NewStatus = Static<typeof NewStatus>

export const StatusFilters = Type.Object({
  sha: described(Type.String(), 'SHA of the commit.'),
  ref: described(Type.Optional(Type.String()), `Branch or tag to filter by: ${REF_NAME}.`),
  stage: described(Type.Optional(Type.String()), 'Stage to filter by.'),
  name: described(Type.Optional(Type.String()), 'Name to filter by.'),
  pipeline_id: described(Type.Optional(Type.Integer()), 'ID of the pipeline to filter by.'),
  all: described(Type.Optional(Type.Boolean()), 'Whether to include replaced statuses; false by default.'),
  order_by: described(Type.Optional(OneOf('id', 'pipeline_id')), 'Field to order by; `id` by default.'),
  sort: described(Type.Optional(SortDirection), 'Sort order; `asc` by default.'),
})
export type StatusFilters = Static<typeof StatusFilters>
