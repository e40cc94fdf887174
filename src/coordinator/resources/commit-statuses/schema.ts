import { type Static, Type } from 'typebox'

import { REPORTED_STATES } from '../../engine/commit-statuses/table.js'
import { Nullable, NullableText, OneOf, SortDirection } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/present-user.js'

/** Of a job, or of what another system said (API gaps, E3). */
export const CommitStatus = Type.Object({
  id: Type.Integer(),
  sha: Type.String(),
  ref: Type.String(),
  status: Type.String(),
  name: Type.String(),
  target_url: NullableText,
  description: NullableText,
  created_at: Type.String(),
  started_at: NullableText,
  finished_at: NullableText,
  allow_failure: Type.Boolean(),
  coverage: Nullable(Type.Number()),
  pipeline_id: Type.Integer(),
  author: Nullable(PublicUser),
})
export type CommitStatus = Static<typeof CommitStatus>

export const NewStatus = Type.Object({
  sha: Type.String(),
  state: OneOf(...REPORTED_STATES),
  ref: Type.Optional(Type.String({ minLength: 1 })),
  name: Type.Optional(Type.String({ minLength: 1 })),
  /** Another word for `name`. */
  context: Type.Optional(Type.String({ minLength: 1 })),
  target_url: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  coverage: Type.Optional(Type.Number()),
  pipeline_id: Type.Optional(Type.Integer()),
})
export type NewStatus = Static<typeof NewStatus>

export const StatusFilters = Type.Object({
  sha: Type.String(),
  ref: Type.Optional(Type.String()),
  stage: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  pipeline_id: Type.Optional(Type.Integer()),
  /** Those that were replaced as well. */
  all: Type.Optional(Type.Boolean()),
  order_by: Type.Optional(OneOf('id', 'pipeline_id')),
  sort: Type.Optional(SortDirection),
})
export type StatusFilters = Static<typeof StatusFilters>
