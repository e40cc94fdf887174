import type { ColumnTypes } from '../../column-types.js'

/** Issues of projects, and epics of groups. */
export const issues = ({ id }: ColumnTypes): string => `
create table issue (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  iid bigint not null,
  title text not null,
  description text,
  state text not null default 'opened',
  issue_type text not null default 'issue',
  confidential boolean not null default false,
  author_id bigint not null references "user" (id),
  milestone_id bigint references milestone (id) on delete set null,
  due_date text,
  weight integer,
  relative_position bigint,
  discussion_locked boolean,
  time_estimate bigint not null default 0,
  total_time_spent bigint not null default 0,
  upvotes integer not null default 0,
  downvotes integer not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  closed_at bigint,
  closed_by_id bigint references "user" (id) on delete set null,
  moved_to_id bigint references issue (id) on delete set null,
  -- Edits.
  updated_by_id bigint references "user" (id) on delete set null,
  last_edited_at bigint,
  last_edited_by_id bigint references "user" (id) on delete set null,
  user_agent text,
  ip_address text,
  constraint issue_of_project unique (project_id, iid)
);
create index issue_list_by_created_at on issue (project_id, created_at, id, state, confidential);
create index issue_by_created_at on issue (created_at, id, project_id, state);
create index issue_list_by_updated_at on issue (project_id, updated_at, id, state, confidential);
create index issue_by_updated_at on issue (updated_at, id, project_id, state);
create index issue_by_author on issue (author_id, created_at, id);
create index issue_by_milestone_id on issue (milestone_id);
create index issue_by_closed_by_id on issue (closed_by_id);
create index issue_by_moved_to_id on issue (moved_to_id);
create index issue_by_updated_by_id on issue (updated_by_id);
create index issue_by_last_edited_by_id on issue (last_edited_by_id);
create index issue_list_by_due_date_asc on issue (project_id, coalesce(due_date, '9999-12-31'), id);
create index issue_list_by_due_date_desc on issue (project_id, coalesce(due_date, '0000-01-01'), id);
create index issue_list_by_weight_asc on issue (project_id, coalesce(weight, 9999999999), id);
create index issue_list_by_weight_desc on issue (project_id, coalesce(weight, -1), id);
create index issue_list_by_relative_position_asc on issue (
  project_id, coalesce(relative_position, 9007199254740991), id
);
create index issue_list_by_relative_position_desc on issue (
  project_id, coalesce(relative_position, -9007199254740991), id
);
create index issue_list_by_upvotes on issue (project_id, upvotes, id, state, confidential);
create index issue_by_upvotes on issue (upvotes, id, project_id, state);
create index issue_by_due_date_asc on issue (coalesce(due_date, '9999-12-31'), id, project_id);
create index issue_by_due_date_desc on issue (coalesce(due_date, '0000-01-01'), id, project_id);
create index issue_by_weight_asc on issue (coalesce(weight, 9999999999), id, project_id);
create index issue_by_weight_desc on issue (coalesce(weight, -1), id, project_id);
create index issue_by_relative_position_asc on issue (
  coalesce(relative_position, 9007199254740991), id, project_id
);
create index issue_list_by_title on issue (project_id, title, id, state);
create index issue_by_title on issue (title, id, project_id, state);
create index issue_list_by_weight on issue (project_id, weight, created_at, id);
create index issue_of_project_in_order on issue (project_id);
create index issue_list_by_state on issue (
  project_id, state, confidential, author_id, milestone_id, created_at, updated_at, due_date, weight,
  issue_type, id
);

create table issue_assignee (
  issue_id bigint not null references issue (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  position integer not null,
  constraint issue_assignee_once primary key (issue_id, user_id)
);
create index issue_assignee_by_user on issue_assignee (user_id, issue_id);

create table issue_label (
  issue_id bigint not null references issue (id) on delete cascade,
  label_id bigint not null references label (id) on delete cascade,
  constraint issue_label_once primary key (issue_id, label_id)
);
create index issue_label_by_label on issue_label (label_id, issue_id);

create table issue_link (
  id ${id},
  source_id bigint not null references issue (id) on delete cascade,
  target_id bigint not null references issue (id) on delete cascade,
  link_type text not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint issue_link_once unique (source_id, target_id)
);
create index issue_link_by_target on issue_link (target_id);

create table issue_subscription (
  issue_id bigint not null references issue (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  subscribed boolean not null,
  constraint issue_subscription_once primary key (issue_id, user_id)
);
create index issue_subscription_by_user on issue_subscription (user_id, issue_id);

create table epic (
  id ${id},
  group_id bigint not null references namespace (id) on delete cascade,
  iid bigint not null,
  title text not null,
  description text,
  state text not null default 'opened',
  author_id bigint not null references "user" (id),
  start_date text,
  due_date text,
  closed_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  constraint epic_of_group unique (group_id, iid)
);
create index epic_list_by_created_at on epic (group_id, created_at, id);
create index epic_list_by_updated_at on epic (group_id, updated_at, id);
create index epic_list_by_title on epic (group_id, title, id);
create index epic_by_author on epic (author_id, id);
`
