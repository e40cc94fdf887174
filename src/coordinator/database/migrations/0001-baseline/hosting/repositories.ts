import type { ColumnTypes } from '../../column-types.js'

/** Pushes, and the rules for them. */
export const repositories = ({ id, json }: ColumnTypes): string => `
-- A push that cannot be completed is retried with growing delays, and finally no longer.
create table push (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  changes ${json} not null,
  options ${json} not null,
  attempts integer not null default 0,
  next_attempt_at bigint,
  bulk ${json} not null default '[]',
  created_at bigint not null
);

create table protected_ref (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  kind text not null,
  name text not null,
  push_access_level integer not null,
  merge_access_level integer not null,
  allow_force_push boolean not null default false,
  created_at bigint not null,
  constraint protected_ref_once unique (project_id, kind, name)
);
create index protected_ref_list on protected_ref (project_id, kind, name, id);

create table protected_ref_access (
  id ${id},
  protected_ref_id bigint not null references protected_ref (id) on delete cascade,
  action text not null,
  user_id bigint references "user" (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade
);
create index protected_ref_access_by_ref on protected_ref_access (protected_ref_id);

-- Rules that pushed commits, branches and files must meet: of a project, of a group for its new projects,
-- or of the instance.
create table push_rule (
  id ${id},
  project_id bigint unique references project (id) on delete cascade,
  group_id bigint unique references namespace (id) on delete cascade,
  max_file_size integer not null default 0,
  commit_message_regex text,
  commit_message_negative_regex text,
  branch_name_regex text,
  author_email_regex text,
  file_name_regex text,
  deny_delete_tag boolean not null default false,
  member_check boolean not null default false,
  prevent_secrets boolean not null default false,
  commit_committer_check boolean not null default false,
  reject_unsigned_commits boolean not null default false,
  is_of_instance boolean,
  created_at bigint not null
);
create unique index push_rule_of_instance on push_rule (is_of_instance);

create table lfs_object (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  oid text not null,
  size bigint not null,
  created_at bigint not null,
  constraint lfs_object_by_oid unique (project_id, oid)
);

create table lfs_lock (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  path text not null,
  user_id bigint not null references "user" (id) on delete cascade,
  locked_at bigint not null,
  constraint lfs_lock_by_path unique (project_id, path)
);
create index lfs_lock_by_user on lfs_lock (user_id);
`
