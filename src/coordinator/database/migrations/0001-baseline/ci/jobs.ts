import type { ColumnTypes } from '../../column-types.js'

/** Jobs, and what they wait for. */
export const jobs = ({ id, json }: ColumnTypes): string => `
-- One job at a time may hold a resource group (CI language, 12.8). Its column job_id follows the table of
-- jobs, because the two refer to each other.
create table resource_group (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  key text not null,
  process_mode text not null default 'unordered',
  created_at bigint not null,
  updated_at bigint not null,
  constraint resource_group_once unique (project_id, key)
);
create index resource_group_list on resource_group (project_id, id);

create table job (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  pipeline_id bigint not null references pipeline (id) on delete cascade,
  stage_id bigint not null references stage (id) on delete cascade,
  stage text not null,
  stage_index integer not null,
  name text not null,
  kind text not null default 'build',
  user_id bigint not null references "user" (id),
  ref text not null,
  tag boolean not null,
  protected boolean not null,
  created_at bigint not null,
  updated_at bigint not null,
  queued_at bigint,
  started_at bigint,
  finished_at bigint,
  erased_at bigint,
  -- State.
  status text not null,
  failure_reason text,
  exit_code integer,
  retried boolean not null default false,
  allow_failure boolean not null,
  coverage double precision,
  waited_for ${json},
  downstream_errors text,
  -- No reference: the value is kept when the newer pipeline is deleted, and the deletion does not search
  -- jobs.
  auto_canceled_by_id bigint,
  cancel_gracefully boolean not null default false,
  -- Plan.
  "when" text not null,
  start_in integer,
  scheduled_at bigint,
  scheduling_type text not null,
  interruptible boolean not null default false,
  priority integer not null default 0,
  options ${json} not null,
  yaml_variables ${json} not null,
  tag_list ${json} not null,
  timeout integer,
  resource_group_id bigint references resource_group (id) on delete set null,
  environment_id bigint references environment (id) on delete set null,
  environment_action text,
  -- Execution.
  runner_id bigint references runner (id) on delete set null,
  -- No reference: jobs refer to their runner manager by its own system ID.
  runner_system_id text,
  token_digest text,
  ended_token_digest text,
  debug_trace boolean not null default false,
  trace_bytes bigint,
  has_outputs boolean not null default false
);
create index job_by_stage_id on job (stage_id);
-- Few jobs are scheduled: the timer finds the next one without reading the others.
create index job_by_scheduled_at on job (scheduled_at) where scheduled_at is not null;
create index job_by_resource_group on job (resource_group_id, status) where resource_group_id is not null;
create index job_bridge_by_status on job (status) where kind = 'bridge';
create index job_by_environment on job (environment_id) where environment_id is not null;
create index job_latest_success on job (project_id, ref, name, id) where status = 'success';
create index job_list_of_project on job (project_id, kind, id, status);
create index job_list_by_name on job (name, project_id, kind, id);
create index job_runner_failure on job (finished_at) where failure_reason = 'runner_system_failure';
-- The few distinct states of the jobs of a pipeline can be read without visiting each job.
create index job_state_in_pipeline on job (
  pipeline_id, retried, stage_index, stage_id, status, allow_failure, scheduling_type
);
create index job_by_name_in_pipeline on job (pipeline_id, name);
-- The jobs whose artifacts later ones fetch. Queries repeat this condition literally, so that the index is used.
create index job_with_outputs on job (pipeline_id, stage_index, id) where has_outputs;
-- Finds the jobs with the oldest logs.
create index job_with_log on job (finished_at) where trace_bytes is not null;
-- Queries repeat this condition literally, so that the index is used.
create index job_list_by_status on job (status, project_id, id) where status <> 'success';
create index job_list_of_runner on job (runner_id, id, kind, status, project_id)
  where runner_id is not null;
create index job_runner_silence on job (finished_at) where failure_reason = 'no_updates_running';
create unique index job_token_digest_key on job (token_digest) where token_digest is not null;

alter table resource_group add column job_id bigint references job (id) on delete set null;
create index resource_group_by_job on resource_group (job_id);

create table job_need (
  job_id bigint not null references job (id) on delete cascade,
  name text not null,
  artifacts boolean not null,
  optional boolean not null,
  pipeline_id bigint not null default 0,
  constraint job_need_once primary key (job_id, name)
);
create index job_need_by_name on job_need (pipeline_id, name, job_id);

create table job_variable (
  id ${id},
  job_id bigint not null references job (id) on delete cascade,
  key text not null,
  value_encrypted text not null,
  source text not null default 'played'
);
create index job_variable_by_job_id on job_variable (job_id);

-- Jobs of other projects whose artifacts a running job downloads.
create table project_dependency (
  job_id bigint not null references job (id) on delete cascade,
  needed_job_id bigint not null references job (id) on delete cascade,
  constraint project_dependency_key primary key (job_id, needed_job_id)
);
create index project_dependency_by_needed_job on project_dependency (needed_job_id);

-- Deleted jobs, until their files are deleted (CI language, 12.5). No references: the rows describe deleted
-- objects.
create table removed_job (
  job_id bigint primary key,
  project_id bigint not null,
  created_at bigint not null
);
`
