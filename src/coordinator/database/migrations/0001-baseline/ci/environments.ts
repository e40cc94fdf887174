import type { ColumnTypes } from '../../column-types.js'

/** Environments, and who may deploy to them (CI language, 15). */
export const environments = ({ id }: ColumnTypes): string => `
create table environment (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  name text not null,
  slug text not null,
  tier text not null,
  state text not null default 'available',
  external_url text,
  description text,
  auto_stop_at bigint,
  auto_stop_setting text not null default 'always',
  auto_stop_user_id bigint references "user" (id) on delete set null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint environment_once unique (project_id, name),
  constraint environment_slug_once unique (project_id, slug)
);
create index environment_by_auto_stop_at on environment (auto_stop_at) where auto_stop_at is not null;
create index environment_list on environment (project_id, id, state, name);
create index environment_by_auto_stop_user on environment (auto_stop_user_id)
  where auto_stop_user_id is not null;
create index environment_by_name on environment (name, id);

-- Environments to which only some users deploy.
create table protected_environment (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  name text not null,
  required_approval_count integer not null default 0,
  created_at bigint not null,
  constraint protected_environment_of_project unique (project_id, name),
  constraint protected_environment_of_group unique (group_id, name)
);

create table protected_environment_entry (
  id ${id},
  protected_environment_id bigint not null references protected_environment (id) on delete cascade,
  kind text not null,
  access_level integer,
  -- An entry outlives its user or group, and then matches no one. Deleting it would silently remove a
  -- restriction or a required approval.
  user_id bigint references "user" (id) on delete set null,
  group_id bigint references namespace (id) on delete set null,
  group_inheritance_type integer not null default 0,
  required_approvals integer not null default 1
);
create index protected_environment_entry_by_protected_environment_id on protected_environment_entry (
  protected_environment_id
);
create index protected_environment_entry_by_user_id on protected_environment_entry (user_id);
create index protected_environment_entry_by_group_id on protected_environment_entry (group_id);
`
