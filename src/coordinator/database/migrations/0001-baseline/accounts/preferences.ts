import type { ColumnTypes } from '../../column-types.js'

/** What users and administrators note about users, groups and projects. */
export const preferences = ({ id }: ColumnTypes): string => `
create table notification_setting (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  project_id bigint references project (id) on delete cascade,
  level text not null,
  notification_email text,
  events text not null default '{}',
  updated_at bigint not null
);
create unique index notification_setting_of_user on notification_setting (user_id)
  where group_id is null and project_id is null;
create unique index notification_setting_of_group on notification_setting (group_id, user_id);
create unique index notification_setting_of_project on notification_setting (project_id, user_id);

create table custom_attribute (
  id ${id},
  user_id bigint references "user" (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  project_id bigint references project (id) on delete cascade,
  key text not null,
  value text not null,
  constraint custom_attribute_of_user unique (user_id, key),
  constraint custom_attribute_of_group unique (group_id, key),
  constraint custom_attribute_of_project unique (project_id, key)
);
create index custom_attribute_by_value on custom_attribute (key, value);
`
