import { type Static, Type } from 'typebox'

import { PROCESS_MODES } from '../../database/tables/resource-groups.js'
import { described } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'

const ProcessMode = OneOf(...PROCESS_MODES)

export const ResourceGroup = Type.Object({
  id: described(Type.Integer(), 'Number of the resource group.'),
  key: described(Type.String(), 'Its name.'),
  process_mode: described(ProcessMode, 'Which of the jobs that wait for it comes next.'),
  created_at: described(Type.String(), 'When it was made.'),
  updated_at: described(Type.String(), 'When it was last changed.'),
})
export type ResourceGroup = Static<typeof ResourceGroup>

export const GroupKey = Type.Object({ key: described(Type.String(), 'Its name.') })

export const EditGroup = Type.Object({
  ...GroupKey.properties,
  process_mode: described(
    Type.Optional(ProcessMode),
    'Which of the jobs that wait for it is to come next; absent = as before.',
  ),
})
