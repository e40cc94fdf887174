import type { ColumnTypes } from '../../column-types.js'

/** Audit events (API, L4). They outlive the users and objects that they name, so they have no references. */
export const auditEvents = ({ id, json }: ColumnTypes): string => `
create table audit_event (
  id ${id},
  author_id bigint not null,
  entity_type text not null,
  entity_id bigint not null,
  details ${json} not null,
  created_at bigint not null
);
create index audit_event_by_created_at on audit_event (created_at);
create index audit_event_list_of_entity on audit_event (entity_type, entity_id, id, created_at);
create index audit_event_list_of_type on audit_event (entity_type, id, created_at);
create index audit_event_list_of_author on audit_event (author_id, id, created_at);

-- Operations that have started. The audit event replaces the intent when the operation is done.
create table audit_intent (
  id ${id},
  event ${json} not null,
  created_at bigint not null
);
`
