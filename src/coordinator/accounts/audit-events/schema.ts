import { type Static, Type } from 'typebox'

import { DateTime, OneOf } from '../../http/parameters/types.js'

const EntityType = OneOf('User', 'Group', 'Project')

export const AuditEvent = Type.Object({
  id: Type.Integer({ description: 'ID of the event.' }),
  author_id: Type.Integer({
    description: 'ID of the author; with impersonation, the administrator.',
  }),
  entity_id: Type.Integer({ description: 'ID of the entity.' }),
  entity_type: Type.String({ description: 'Type of the entity: User, Group or Project.' }),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Details: action, target, author and IP address.',
  }),
  created_at: { ...DateTime(), description: 'Time of the event.' },
})
export type AuditEvent = Static<typeof AuditEvent>

const period = {
  created_after: Type.Optional(
    Type.String({ format: 'date-time', description: 'Earliest time of the events.' }),
  ),
  created_before: Type.Optional(
    Type.String({ format: 'date-time', description: 'Latest time of the events.' }),
  ),
}

export const Period = Type.Object(period)
export type Period = Static<typeof Period>

export const ListAuditEvents = Type.Object({
  ...period,
  author_id: Type.Optional(
    Type.Integer({ description: 'ID of the author to filter by (beyond the reference).' }),
  ),
  entity_type: Type.Optional(
    Type.Unsafe<Static<typeof EntityType>>({
      ...EntityType,
      description: 'Type of the entity to filter by.',
    }),
  ),
  entity_id: Type.Optional(
    Type.Integer({ description: 'ID of the entity to filter by; requires `entity_type`.' }),
  ),
})

export const AuditEventId = Type.Object({
  audit_event_id: Type.Integer({ description: 'ID of the event.' }),
})
export const InstanceAuditEventId = Type.Object({
  id: Type.Integer({ description: 'ID of the event.' }),
})
