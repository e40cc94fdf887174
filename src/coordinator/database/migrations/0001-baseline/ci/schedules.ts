import type { ColumnTypes } from '../../column-types.js'

/** What starts pipelines: schedules and trigger tokens (API, I2). */
export const schedules = ({ id, json }: ColumnTypes): string => `
create table pipeline_schedule (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  owner_id bigint not null references "user" (id) on delete cascade,
  description text not null,
  ref text not null,
  cron text not null,
  cron_timezone text not null,
  next_run_at bigint,
  active boolean not null,
  last_failure text,
  played_at bigint,
  inputs ${json} not null default '{}',
  created_at bigint not null,
  updated_at bigint not null
);
create index pipeline_schedule_by_owner_id on pipeline_schedule (owner_id);
create index pipeline_schedule_by_next_run_at on pipeline_schedule (next_run_at);
create index pipeline_schedule_list on pipeline_schedule (project_id, id, active);

create table pipeline_schedule_variable (
  id ${id},
  schedule_id bigint not null references pipeline_schedule (id) on delete cascade,
  key text not null,
  value_encrypted text not null,
  variable_type text not null,
  constraint pipeline_schedule_variable_once unique (schedule_id, key)
);

create table trigger_token (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  owner_id bigint not null references "user" (id) on delete cascade,
  description text not null,
  token_digest text not null unique,
  token_encrypted text not null,
  short_token text not null,
  expires_at bigint,
  last_used bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create index trigger_token_by_project_id on trigger_token (project_id, id);
create index trigger_token_by_owner_id on trigger_token (owner_id);

-- Periods in which the pipelines of a project are marked.
create table freeze_period (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  freeze_start text not null,
  freeze_end text not null,
  cron_timezone text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index freeze_period_by_project on freeze_period (project_id, id);
`
