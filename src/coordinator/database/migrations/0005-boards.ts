import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { type ColumnTypes, columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Boards of projects and groups, and an index for the manual order of issues. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await executeStatements(db, boards(columnTypes(dialect)))
}

const boards = ({ id }: ColumnTypes): string => `
create table board (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  name text not null,
  hide_backlog_list boolean not null default false,
  hide_closed_list boolean not null default false,
  milestone_id bigint references milestone (id) on delete set null,
  assignee_id bigint references "user" (id) on delete set null,
  weight integer,
  created_at bigint not null,
  updated_at bigint not null
);
create index board_of_project on board (project_id, id);
create index board_of_group on board (group_id, id);
create index board_by_milestone on board (milestone_id);
create index board_by_assignee on board (assignee_id);

create table board_label (
  board_id bigint not null references board (id) on delete cascade,
  label_id bigint not null references label (id) on delete cascade,
  constraint board_label_once primary key (board_id, label_id)
);
create index board_label_by_label on board_label (label_id);

create table board_list (
  id ${id},
  board_id bigint not null references board (id) on delete cascade,
  label_id bigint references label (id) on delete cascade,
  assignee_id bigint references "user" (id) on delete cascade,
  milestone_id bigint references milestone (id) on delete cascade,
  position integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint board_list_of_label unique (board_id, label_id),
  constraint board_list_of_assignee unique (board_id, assignee_id),
  constraint board_list_of_milestone unique (board_id, milestone_id)
);
create index board_list_by_label on board_list (label_id);
create index board_list_by_assignee on board_list (assignee_id);
create index board_list_by_milestone on board_list (milestone_id);

-- The manual order: issues that were not moved come last, in the order of their IDs.
create index issue_list_by_position on issue (
  project_id, coalesce(relative_position, 4503599627370496 + id * 1024), id
);
create index issue_by_position on issue (
  coalesce(relative_position, 4503599627370496 + id * 1024), id, project_id
);
`
