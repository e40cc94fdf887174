import { type Static, Type } from 'typebox'

import { PROCESS_MODES } from '../../database/tables/resource-groups.js'
import { described, optional } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { JOB_STATUSES } from '../engine/job-statuses.js'

const ProcessMode = OneOf(...PROCESS_MODES)

/** The job that has the resource, or one that waits for it. */
const JobOfGroup = Type.Object({
  id: described(Type.Integer(), 'ID of the job.'),
  name: described(Type.String(), 'Name of the job.'),
  status: described(OneOf(...JOB_STATUSES), 'Status of the job.'),
  pipeline_id: described(Type.Integer(), 'ID of its pipeline.'),
  started_at: described(NullableText, 'Start time; null before the start.'),
})

/** What `with_details` adds. */
const ResourceGroupDetails = Type.Object({
  current_job: described(Nullable(JobOfGroup), 'Job that has the resource; null while it is free.'),
  upcoming_jobs: described(Type.Integer(), 'Number of jobs that come next.'),
})

export const ResourceGroup = Type.Object({
  id: described(Type.Integer(), 'ID of the resource group.'),
  key: described(Type.String(), 'Name of the resource group.'),
  process_mode: described(ProcessMode, 'Process mode: the order in which waiting jobs get the resource.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  ...Type.Partial(ResourceGroupDetails).properties,
})
export type ResourceGroup = Static<typeof ResourceGroup>
/** A resource group with `with_details`. */
export type DetailedResourceGroup = ResourceGroup & Static<typeof ResourceGroupDetails>

export const GroupKey = Type.Object({ key: described(Type.String(), 'Name of the resource group.') })

const withDetails = optional(
  Type.Boolean(),
  'Whether to add the job that has the resource and the number of those that wait (beyond the reference).',
)
export const ListResourceGroups = Type.Object({ with_details: withDetails })
export const ShowGroup = Type.Object({ ...GroupKey.properties, with_details: withDetails })

export const EditResourceGroup = Type.Object({
  ...GroupKey.properties,
  process_mode: described(
    Type.Optional(ProcessMode),
    'Process mode: the order in which waiting jobs get the resource; unchanged if absent.',
  ),
})
