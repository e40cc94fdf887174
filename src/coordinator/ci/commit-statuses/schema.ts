import { type Static, Type } from 'typebox'

import { REPORTED_STATES } from '../../database/tables/commit-statuses.js'
import { described } from '../../http/parameters/described.js'
import { REF_NAME } from '../../http/parameters/ref-name.js'
import { Nullable, NullableText, OneOf, SortDirection } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

/** Of a job, or of what another system said (API, E3). */
export const CommitStatus = Type.Object({
  id: described(Type.Integer(), 'Number of the status.'),
  sha: described(Type.String(), 'The commit.'),
  ref: described(Type.String(), 'Its branch or tag.'),
  status: described(Type.String(), 'How it stands.'),
  name: described(Type.String(), 'Name of the job, or of what the other system reports.'),
  target_url: described(NullableText, 'Where to read more; null = nowhere.'),
  description: described(NullableText, 'A sentence about it; null = none.'),
  created_at: described(Type.String(), 'When it was first told.'),
  started_at: described(NullableText, 'When it began; null = not yet.'),
  finished_at: described(NullableText, 'When it ended; null = not yet.'),
  allow_failure: described(Type.Boolean(), 'Whether its failure fails the pipeline.'),
  coverage: described(Nullable(Type.Number()), 'Per cent; null = none.'),
  pipeline_id: described(Type.Integer(), 'Number of its pipeline.'),
  author: described(Nullable(PublicUser), 'Who told it; null when the account is gone.'),
})
export type CommitStatus = Static<typeof CommitStatus>

export const NewStatus = Type.Object({
  sha: described(Type.String(), 'The commit.'),
  state: described(OneOf(...REPORTED_STATES), 'How it stands.'),
  ref: described(
    Type.Optional(Type.String({ minLength: 1 })),
    `Branch or tag: ${REF_NAME}. Found by the commit when absent.`,
  ),
  name: described(Type.Optional(Type.String({ minLength: 1 })), 'What is reported; `default` when absent.'),
  context: described(Type.Optional(Type.String({ minLength: 1 })), 'Another word for `name`.'),
  target_url: described(Type.Optional(Type.String()), 'Where to read more.'),
  description: described(Type.Optional(Type.String()), 'A sentence about it.'),
  coverage: described(Type.Optional(Type.Number()), 'Per cent.'),
  pipeline_id: described(
    Type.Optional(Type.Integer()),
    'Pipeline that it counts into; the newest of the commit when absent.',
  ),
})
export type NewStatus = Static<typeof NewStatus>

export const StatusFilters = Type.Object({
  sha: described(Type.String(), 'The commit.'),
  ref: described(Type.Optional(Type.String()), `Only those of this branch or tag: ${REF_NAME}.`),
  stage: described(Type.Optional(Type.String()), 'Only those of this stage.'),
  name: described(Type.Optional(Type.String()), 'Only those of this name.'),
  pipeline_id: described(Type.Optional(Type.Integer()), 'Only those of this pipeline.'),
  all: described(
    Type.Optional(Type.Boolean()),
    'Whether those are listed that were replaced as well; false by default.',
  ),
  order_by: described(
    Type.Optional(OneOf('id', 'pipeline_id')),
    'What the list is ordered by; `id` by default.',
  ),
  sort: described(Type.Optional(SortDirection), '`asc` by default.'),
})
export type StatusFilters = Static<typeof StatusFilters>
