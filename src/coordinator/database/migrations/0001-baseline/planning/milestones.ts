import type { ColumnTypes } from '../../column-types.js'

/** Milestones of projects and groups. */
export const milestones = ({ id }: ColumnTypes): string => `
create table milestone (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  iid bigint not null,
  title text not null,
  description text,
  state text not null,
  start_date text,
  due_date text,
  created_at bigint not null,
  updated_at bigint not null,
  constraint milestone_of_project unique (project_id, iid),
  constraint milestone_of_group unique (group_id, iid),
  constraint milestone_title_of_project unique (project_id, title),
  constraint milestone_title_of_group unique (group_id, title)
);
create index milestone_by_title on milestone (title);
-- In the order of lists: by due date, the milestones without one last.
create index milestone_list_of_project on milestone (
  project_id, coalesce(due_date, '9999-12-31'), id desc, state
);
create index milestone_list_of_group on milestone (
  group_id, coalesce(due_date, '9999-12-31'), id desc, state
);
`
