import type { ColumnTypes } from '../../column-types.js'

/** Members of projects and groups. */
export const members = ({ id }: ColumnTypes): string => `
create table member (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  access_level integer not null,
  expires_at bigint,
  created_by_id bigint references "user" (id) on delete set null,
  created_at bigint not null,
  constraint member_of_one check ((project_id is null) <> (group_id is null))
);
create unique index member_project_id_once on member (project_id, user_id);
create unique index member_group_id_once on member (group_id, user_id);
create index member_by_user_id on member (user_id);
create index member_by_created_by_id on member (created_by_id);
create index member_by_expires_at on member (expires_at);
create index member_list_of_project on member (project_id, user_id, expires_at);
create index member_list_of_group on member (group_id, user_id, expires_at);

create table share (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  with_group_id bigint not null references namespace (id) on delete cascade,
  group_access integer not null,
  expires_at bigint,
  created_at bigint not null,
  constraint share_of_one check ((project_id is null) <> (group_id is null))
);
create unique index share_project_id_once on share (project_id, with_group_id);
create unique index share_group_id_once on share (group_id, with_group_id);
create index share_by_with_group_id on share (with_group_id);

create table access_request (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  requested_at bigint not null,
  constraint access_request_of_one check ((project_id is null) <> (group_id is null))
);
create unique index access_request_project_id_once on access_request (project_id, user_id);
create unique index access_request_group_id_once on access_request (group_id, user_id);
create index access_request_by_user_id on access_request (user_id);
create index access_request_list_of_project on access_request (project_id, id);
create index access_request_list_of_group on access_request (group_id, id);

create table invitation (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  email text not null,
  access_level integer not null,
  expires_at bigint,
  created_by_id bigint references "user" (id) on delete set null,
  created_at bigint not null,
  constraint invitation_of_one check ((project_id is null) <> (group_id is null))
);
create unique index invitation_project_id_once on invitation (project_id, lower(email));
create unique index invitation_group_id_once on invitation (group_id, lower(email));
create index invitation_by_email on invitation (lower(email));
create index invitation_by_created_by_id on invitation (created_by_id);
create index invitation_list_of_project on invitation (project_id, id, email);
create index invitation_list_of_group on invitation (group_id, id, email);

create table bot_user (
  user_id bigint primary key references "user" (id) on delete cascade,
  -- The coordinator deletes a bot with its project or group: the reference alone would leave its account.
  project_id bigint references project (id) on delete set null,
  namespace_id bigint references namespace (id) on delete set null
);
create index bot_user_by_project_id on bot_user (project_id);
create index bot_user_by_namespace_id on bot_user (namespace_id);
`
