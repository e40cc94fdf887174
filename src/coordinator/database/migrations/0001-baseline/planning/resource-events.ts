import type { ColumnTypes } from '../../column-types.js'

/** Changes of labels, state and milestones. */
export const resourceEvents = ({ id }: ColumnTypes): string => `
create table resource_event (
  id ${id},
  kind text not null,
  issue_id bigint references issue (id) on delete cascade,
  merge_request_id bigint references merge_request (id) on delete cascade,
  user_id bigint not null references "user" (id),
  action text not null,
  label_id bigint references label (id) on delete set null,
  milestone_id bigint references milestone (id) on delete set null,
  created_at bigint not null
);
create index resource_event_of_issue on resource_event (issue_id, kind, id);
create index resource_event_of_merge_request on resource_event (merge_request_id, kind, id);
create index resource_event_by_user on resource_event (user_id);
create index resource_event_by_label on resource_event (label_id);
create index resource_event_by_milestone on resource_event (milestone_id);
`
