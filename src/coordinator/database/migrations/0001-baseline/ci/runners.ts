import type { ColumnTypes } from '../../column-types.js'

/** Runners and their processes. */
export const runners = ({ id, json }: ColumnTypes): string => `
create table runner (
  id ${id},
  runner_type text not null,
  group_id bigint references namespace (id) on delete cascade,
  name text,
  description text,
  token_digest text not null unique,
  token_expires_at bigint,
  creator_id bigint references "user" (id) on delete set null,
  created_at bigint not null,
  updated_at bigint,
  contacted_at bigint,
  -- Rules.
  active boolean not null default true,
  locked boolean not null default false,
  run_untagged boolean not null default true,
  tag_list ${json} not null,
  access_level text not null default 'not_protected',
  maximum_timeout integer,
  weight integer not null default 0,
  maintenance_note text,
  -- As reported by the runner.
  version text,
  revision text,
  platform text,
  architecture text,
  ip_address text
);
create index runner_by_runner_type on runner (runner_type, id);
create index runner_list_of_group on runner (group_id, id);

create table runner_manager (
  id ${id},
  runner_id bigint not null references runner (id) on delete cascade,
  system_id text not null,
  name text,
  version text,
  revision text,
  platform text,
  architecture text,
  executor text,
  shell text,
  features ${json} not null,
  config ${json} not null default '{}',
  labels ${json} not null default '{}',
  ip_address text,
  contacted_at bigint not null,
  created_at bigint not null,
  constraint runner_manager_once unique (runner_id, system_id)
);

create table runner_project (
  runner_id bigint not null references runner (id) on delete cascade,
  project_id bigint not null references project (id) on delete cascade,
  constraint runner_project_once primary key (runner_id, project_id)
);
create index runner_project_list on runner_project (project_id, runner_id);
`
