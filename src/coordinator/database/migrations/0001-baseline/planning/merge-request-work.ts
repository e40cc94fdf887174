import type { ColumnTypes } from '../../column-types.js'

/** Work on merge requests in the background. */
export const mergeRequestWork = ({ id, json }: ColumnTypes): string => `
-- Heads of merge requests that are to be compared with their branches.
create table merge_request_refresh (
  id ${id},
  merge_request_id bigint not null unique references merge_request (id) on delete cascade,
  project_id bigint not null references project (id) on delete cascade,
  pushed_by_id bigint references "user" (id) on delete set null,
  generation integer not null default 0,
  claimed_until bigint,
  created_at bigint not null
);
create index merge_request_refresh_by_project_id on merge_request_refresh (project_id);
create index merge_request_refresh_by_pushed_by_id on merge_request_refresh (pushed_by_id);

create table merge_request_task (
  id ${id},
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  project_id bigint not null references project (id) on delete cascade,
  kind text not null,
  user_id bigint not null references "user" (id) on delete cascade,
  params ${json} not null,
  generation integer not null default 0,
  claimed_until bigint,
  created_at bigint not null,
  constraint merge_request_task_once unique (merge_request_id, kind)
);
create index merge_request_task_by_project_id on merge_request_task (project_id);
create index merge_request_task_by_user_id on merge_request_task (user_id);
`
