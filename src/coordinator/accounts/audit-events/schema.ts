import { type Static, Type } from 'typebox'

import { DateTime, OneOf } from '../../http/parameters/types.js'

const EntityType = OneOf('User', 'Group', 'Project')

export const AuditEvent = Type.Object({
  id: Type.Integer({ description: 'Number of the event.' }),
  author_id: Type.Integer({
    description: 'Number of the user who did it; an administrator who acted as somebody else is meant here.',
  }),
  entity_id: Type.Integer({ description: 'Number of what it was done to or in.' }),
  entity_type: Type.String({ description: 'Kind of what it was done to or in: User, Group or Project.' }),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What was done, to which target, by whom and from which address.',
  }),
  created_at: { ...DateTime(), description: 'When it was done.' },
})
export type AuditEvent = Static<typeof AuditEvent>

const period = {
  created_after: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only events of this time or later.' }),
  ),
  created_before: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only events of this time or earlier.' }),
  ),
}

export const Period = Type.Object(period)
export type Period = Static<typeof Period>

export const ListAuditEvents = Type.Object({
  ...period,
  entity_type: Type.Optional(
    Type.Unsafe<Static<typeof EntityType>>({
      ...EntityType,
      description: 'Only events of this kind of entity.',
    }),
  ),
  entity_id: Type.Optional(
    Type.Integer({ description: 'Only events of the entity with this number; needs `entity_type`.' }),
  ),
})

export const AuditEventId = Type.Object({
  audit_event_id: Type.Integer({ description: 'Number of the event.' }),
})
export const InstanceAuditEventId = Type.Object({
  id: Type.Integer({ description: 'Number of the event.' }),
})
