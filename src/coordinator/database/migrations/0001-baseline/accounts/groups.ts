import type { ColumnTypes } from '../../column-types.js'

/** Namespaces of users and groups. */
export const groups = ({ id }: ColumnTypes): string => `
create table namespace (
  id ${id},
  kind text not null,
  name text not null,
  path text not null,
  full_path text not null,
  parent_id bigint references namespace (id),
  owner_id bigint references "user" (id),
  visibility text not null,
  description text,
  avatar text,
  avatar_key text,
  created_at bigint not null,
  updated_at bigint,
  -- Counts, which lists show or are ordered by.
  milestone_count integer not null default 0,
  epic_count integer not null default 0,
  -- Settings.
  membership_lock boolean not null default false,
  share_with_group_lock boolean not null default false,
  request_access_enabled boolean not null default true,
  require_two_factor_authentication boolean not null default false,
  two_factor_grace_period integer not null default 48,
  project_creation_level text not null default 'maintainer',
  subgroup_creation_level text not null default 'owner',
  default_branch text,
  default_branch_protection integer not null default 2,
  prevent_forking_outside_group boolean not null default false,
  file_template_project_id bigint,
  lfs_enabled boolean not null default true,
  auto_devops_enabled boolean,
  emails_disabled boolean,
  mentions_disabled boolean,
  -- Runners.
  runners_token_digest text,
  runners_token_encrypted text,
  shared_runners_setting text not null default 'enabled',
  shared_runners_minutes_limit integer,
  extra_shared_runners_minutes_limit integer
);
create unique index namespace_full_path_once on namespace (lower(full_path));
create index namespace_by_owner_id on namespace (owner_id);
create unique index namespace_runners_token_digest_once on namespace (runners_token_digest);
create index namespace_by_kind_and_path on namespace (kind, path, id, visibility);

-- Pairs of a group and its ancestors, including itself. Recursive queries instead would mislead the planner
-- of PostgreSQL.
create table group_tree (
  group_id bigint not null references namespace (id) on delete cascade,
  ancestor_id bigint not null references namespace (id) on delete cascade,
  constraint group_tree_once primary key (group_id, ancestor_id)
);
create index group_tree_by_ancestor_id on group_tree (ancestor_id, group_id);

-- Groups whose deletion is not finished.
create table group_removal (
  group_id bigint primary key references namespace (id) on delete cascade,
  created_at bigint not null
);
`
