import type { ColumnTypes } from '../../column-types.js'

/** Pipelines and their stages. */
export const pipelines = ({ id, json }: ColumnTypes): string => `
create table pipeline (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  iid integer not null,
  name text,
  user_id bigint not null references "user" (id),
  ref text not null,
  tag boolean not null,
  sha text not null,
  before_sha text not null,
  source text not null,
  status text not null,
  protected boolean not null,
  failure_reason text,
  yaml_errors text,
  warnings ${json} not null default '[]',
  created_at bigint not null,
  updated_at bigint not null,
  started_at bigint,
  finished_at bigint,
  duration integer,
  -- Cancellation.
  on_new_commit text not null default 'conservative',
  on_job_failure text not null default 'none',
  -- No reference: the value is kept when the newer pipeline is deleted.
  auto_canceled_by_id bigint,
  -- What has started it.
  merge_request_id bigint references merge_request (id) on delete set null,
  pipeline_schedule_id bigint references pipeline_schedule (id) on delete set null,
  -- No reference: the value is kept when the token is deleted.
  trigger_short_token text,
  trigger_payload_encrypted text,
  deploy_freeze boolean not null default false,
  constraint pipeline_iid unique (project_id, iid)
);
create index pipeline_by_schedule on pipeline (pipeline_schedule_id)
  where pipeline_schedule_id is not null;
create index pipeline_list_of_project on pipeline (project_id, id, source, status, user_id);
create index pipeline_by_ref on pipeline (project_id, ref, id, tag, source);
create index pipeline_in_order_of_updated_at on pipeline (project_id, updated_at, id, source, status);
create index pipeline_of_merge_request on pipeline (merge_request_id, id)
  where merge_request_id is not null;
create index pipeline_list_by_status on pipeline (project_id, status, id, source, user_id);
create index pipeline_list_by_ref on pipeline (project_id, tag, ref, id, source, merge_request_id)
  where merge_request_id is null;
create index pipeline_by_ref_name on pipeline (ref, project_id, id);
create index pipeline_list_of_user on pipeline (user_id, id, project_id, source);
create index pipeline_by_finished_at on pipeline (finished_at, project_id, user_id)
  where finished_at is not null;
-- Queries repeat this condition literally, so that the index is used.
create index pipeline_under_way on pipeline (status, id, project_id, user_id)
  where status in ('created', 'waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending',
    'running', 'canceling');
create index pipeline_by_commit on pipeline (project_id, sha, id);
create index pipeline_list_by_source on pipeline (source, project_id, id);

create table pipeline_variable (
  id ${id},
  pipeline_id bigint not null references pipeline (id) on delete cascade,
  key text not null,
  value_encrypted text not null,
  variable_type text not null,
  raw boolean not null default false,
  constraint pipeline_variable_once unique (pipeline_id, key)
);

create table stage (
  id ${id},
  pipeline_id bigint not null references pipeline (id) on delete cascade,
  name text not null,
  position integer not null,
  status text not null
);
create index stage_by_pipeline_id on stage (pipeline_id);

-- Pipelines whose artifacts are kept regardless of their expiry time (CI language, 16.3).
create table artifact_lock (
  project_id bigint not null references project (id) on delete cascade,
  ref text not null,
  tag boolean not null,
  pipeline_id bigint not null references pipeline (id) on delete cascade,
  constraint artifact_lock_once primary key (project_id, ref, tag)
);
create index artifact_lock_by_pipeline_id on artifact_lock (pipeline_id);

-- What the limits of retention have deleted.
create table retention_removal (
  day text not null,
  project_id bigint not null,
  kind text not null,
  number bigint not null,
  bytes bigint not null,
  constraint retention_removal_pkey primary key (day, project_id, kind)
);
`
