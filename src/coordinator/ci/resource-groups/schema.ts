import { type Static, Type } from 'typebox'

import { PROCESS_MODES } from '../../database/tables/resource-groups.js'
import { described } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'

const ProcessMode = OneOf(...PROCESS_MODES)

export const ResourceGroup = Type.Object({
  id: described(Type.Integer(), 'ID of the resource group.'),
  key: described(Type.String(), 'Name of the resource group.'),
  process_mode: described(ProcessMode, 'Process mode: the order in which waiting jobs get the resource.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
})
export type ResourceGroup = Static<typeof ResourceGroup>

export const GroupKey = Type.Object({ key: described(Type.String(), 'Name of the resource group.') })

export const EditGroup = Type.Object({
  ...GroupKey.properties,
  process_mode: described(
    Type.Optional(ProcessMode),
    'Process mode: the order in which waiting jobs get the resource; unchanged if absent.',
  ),
})
