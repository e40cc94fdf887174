import type { ColumnTypes } from '../../column-types.js'

/** To-do items of users. */
export const todos = ({ id }: ColumnTypes): string => `
create table todo (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  author_id bigint not null references "user" (id) on delete cascade,
  project_id bigint not null references project (id) on delete cascade,
  action text not null,
  issue_id bigint references issue (id) on delete cascade,
  merge_request_id bigint references merge_request (id) on delete cascade,
  state text not null default 'pending',
  created_at bigint not null,
  updated_at bigint not null
);
create index todo_list on todo (
  user_id, state, id, project_id, issue_id, merge_request_id, action, author_id
);
create index todo_by_author_id on todo (author_id);
create index todo_by_project_id on todo (project_id);
create index todo_by_issue_id on todo (issue_id);
create index todo_by_merge_request_id on todo (merge_request_id);
create unique index todo_pending_by_issue_id on todo (user_id, issue_id) where state = 'pending';
create unique index todo_pending_by_merge_request_id on todo (user_id, merge_request_id)
  where state = 'pending';
`
