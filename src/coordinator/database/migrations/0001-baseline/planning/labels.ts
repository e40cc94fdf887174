import type { ColumnTypes } from '../../column-types.js'

/** Labels of projects and groups. */
export const labels = ({ id }: ColumnTypes): string => `
create table label (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  name text not null,
  description text,
  color text not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint label_of_project unique (project_id, name),
  constraint label_of_group unique (group_id, name)
);

create table label_priority (
  project_id bigint not null references project (id) on delete cascade,
  label_id bigint not null references label (id) on delete cascade,
  priority integer not null,
  constraint label_priority_once primary key (project_id, label_id)
);
create index label_priority_by_label_id on label_priority (label_id);

create table label_subscription (
  id ${id},
  label_id bigint not null references label (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  project_id bigint references project (id) on delete cascade
);
create unique index label_subscription_once on label_subscription (
  label_id, user_id, coalesce(project_id, 0)
);
create index label_subscription_by_user_id on label_subscription (user_id);
create index label_subscription_by_project_id on label_subscription (project_id);
`
