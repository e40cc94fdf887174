import type { ColumnTypes } from '../../column-types.js'

/** Deployments of jobs to environments. */
export const deployments = ({ id }: ColumnTypes): string => `
create table deployment (
  id ${id},
  iid integer not null,
  project_id bigint not null references project (id) on delete cascade,
  environment_id bigint not null references environment (id) on delete cascade,
  job_id bigint unique references job (id) on delete set null,
  user_id bigint not null references "user" (id),
  ref text not null,
  tag boolean not null,
  sha text not null,
  status text not null,
  on_stop text,
  approved_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  finished_at bigint,
  constraint deployment_iid unique (project_id, iid)
);
create index deployment_by_environment on deployment (environment_id, status, finished_at);
create index deployment_list on deployment (project_id, id, status);
create index deployment_in_order_of_updated_at on deployment (project_id, updated_at, id, status);
create index deployment_by_environment_and_id on deployment (environment_id, id);

-- Not a column of the project: the row of the project is locked before any pipeline, and this row after all
-- of them.
create table deployment_counter (
  project_id bigint primary key references project (id) on delete cascade,
  last_iid integer not null
);

create table deployment_approval (
  id ${id},
  deployment_id bigint not null references deployment (id) on delete cascade,
  user_id bigint references "user" (id) on delete set null,
  entry_id bigint references protected_environment_entry (id) on delete set null,
  is_of_deployer boolean not null default false,
  status text not null,
  comment text,
  created_at bigint not null,
  constraint deployment_approval_once unique (deployment_id, user_id)
);
create index deployment_approval_by_user_id on deployment_approval (user_id);
create index deployment_approval_by_entry_id on deployment_approval (entry_id);

-- Merge requests that deployments have brought to their environments.
create table deployment_merge_request (
  deployment_id bigint not null references deployment (id) on delete cascade,
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  environment_id bigint not null references environment (id) on delete cascade,
  finished_at bigint not null,
  constraint deployment_merge_request_once primary key (deployment_id, merge_request_id)
);
create index deployment_merge_request_of on deployment_merge_request (
  merge_request_id, environment_id, finished_at
);
create index deployment_merge_request_to on deployment_merge_request (
  environment_id, finished_at, merge_request_id
);
create index deployment_merge_request_at on deployment_merge_request (
  finished_at, merge_request_id, environment_id
);

create table deployment_merge_request_task (
  id ${id},
  deployment_id bigint not null unique references deployment (id) on delete cascade,
  project_id bigint not null references project (id) on delete cascade,
  claimed_until bigint,
  created_at bigint not null
);
create index deployment_merge_request_task_by_project on deployment_merge_request_task (project_id);
`
