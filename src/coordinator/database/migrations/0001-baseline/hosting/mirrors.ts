import type { ColumnTypes } from '../../column-types.js'

/** Repositories to which projects are pushed, and from which they are updated (API, C2). */
export const mirrors = ({ id }: ColumnTypes): string => `
create table remote_mirror (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  url_encrypted text not null,
  enabled boolean not null,
  only_protected_branches boolean not null,
  keep_divergent_refs boolean not null,
  update_status text not null,
  last_error text,
  last_update_at bigint,
  last_update_started_at bigint,
  last_successful_update_at bigint,
  claimed_until bigint,
  user_id bigint references "user" (id) on delete set null,
  created_at bigint not null
);
create index remote_mirror_by_project on remote_mirror (project_id, id);
create index remote_mirror_user_id on remote_mirror (user_id) where user_id is not null;

create table pull_mirror (
  id ${id},
  project_id bigint not null unique references project (id) on delete cascade,
  user_id bigint references "user" (id) on delete set null,
  url_encrypted text not null,
  enabled boolean not null,
  only_protected_branches boolean not null default false,
  overwrites_diverged boolean not null default false,
  triggers_pipelines boolean not null default false,
  update_status text not null default 'none',
  last_error text,
  last_update_at bigint,
  last_update_started_at bigint,
  last_successful_update_at bigint,
  due_at bigint not null,
  claimed_until bigint,
  created_at bigint not null
);
create index pull_mirror_of_user on pull_mirror (user_id);
`
