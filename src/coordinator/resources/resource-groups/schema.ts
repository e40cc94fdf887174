import { type Static, Type } from 'typebox'

import { PROCESS_MODES } from '../../engine/resource-groups/table.js'
import { OneOf } from '../../http/parameters/types.js'

const ProcessMode = OneOf(...PROCESS_MODES)

export const ResourceGroup = Type.Object({
  id: Type.Integer(),
  key: Type.String(),
  process_mode: ProcessMode,
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type ResourceGroup = Static<typeof ResourceGroup>

export const GroupKey = Type.Object({ key: Type.String() })

export const EditGroup = Type.Object({ ...GroupKey.properties, process_mode: Type.Optional(ProcessMode) })
