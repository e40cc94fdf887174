import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { AuditEvent, AuditEventId, InstanceAuditEventId, ListAuditEvents, Period } from './schema.js'
import { type AuditEventRow, type AuditFilter, findAuditEvent, listAuditEvents } from './store.js'

const list = {
  responses: { 200: Type.Array(AuditEvent) },
  paginated: true,
  keyset: { of: 'AuditEvent', orders: ['id desc'] },
} as const

/** Audit events (API, L4). They are recorded where operations are handled. */
export function auditEventOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /audit_events', {
      summary: 'List instance audit events, newest first',
      access: 'administrator',
      params: ListAuditEvents,
      needs: { entity_id: 'entity_type' },
      ...list,
      run: async ({ params: { author_id, entity_type, entity_id, ...period }, paging }) => {
        const filter = { authorId: author_id, entityType: entity_type, entityId: entity_id }
        return listed({ ...timesOf(period), ...filter }, paging)
      },
    }),
    operation('GET /audit_events/:id', {
      summary: 'Get an instance audit event',
      access: 'administrator',
      params: InstanceAuditEventId,
      responses: { 200: AuditEvent },
      run: ({ params }) => one(params.id, {}),
    }),
    operation('GET /projects/:id/audit_events', {
      summary: 'List project audit events, newest first',
      access: 'read_audit_events',
      params: Period,
      ...list,
      run: ({ project, params, paging }) => listed({ ...timesOf(params), ...inProject(project) }, paging),
    }),
    operation('GET /projects/:id/audit_events/:audit_event_id', {
      summary: 'Get a project audit event',
      access: 'read_audit_events',
      params: AuditEventId,
      responses: { 200: AuditEvent },
      run: ({ project, params }) => one(params.audit_event_id, inProject(project)),
    }),
    operation('GET /groups/:id/audit_events', {
      summary: 'List group audit events, newest first',
      access: 'read_group_audit_events',
      params: Period,
      ...list,
      run: ({ group, params, paging }) => listed({ ...timesOf(params), ...inGroup(group) }, paging),
    }),
    operation('GET /groups/:id/audit_events/:audit_event_id', {
      summary: 'Get a group audit event',
      access: 'read_group_audit_events',
      params: AuditEventId,
      responses: { 200: AuditEvent },
      run: ({ group, params }) => one(params.audit_event_id, inGroup(group)),
    }),
  ]

  async function listed(filter: AuditFilter, paging: Paging): Promise<Page> {
    const { rows, total } = await listAuditEvents(database, filter, paging)
    return page(rows.map(present), total)
  }

  async function one(id: number, filter: AuditFilter): Promise<AuditEvent> {
    const row = await findAuditEvent(database, id, filter)
    if (!row) throw notFound()
    return present(row)
  }
}

function inProject({ id }: { id: number }): AuditFilter {
  return { entityType: 'Project', entityId: id }
}

function inGroup({ id }: { id: number }): AuditFilter {
  return { entityType: 'Group', entityId: id }
}

function timesOf({ created_after, created_before }: Period): AuditFilter {
  return {
    createdAfter: created_after === undefined ? undefined : Date.parse(created_after),
    createdBefore: created_before === undefined ? undefined : Date.parse(created_before),
  }
}

function present({ created_at, ...row }: AuditEventRow): AuditEvent {
  return { ...row, created_at: isoTime(created_at) }
}
