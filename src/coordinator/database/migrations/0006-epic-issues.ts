import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { type ColumnTypes, columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Issues of epics, child epics, and links between epics. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await executeStatements(db, epicIssues(columnTypes(dialect)))
}

const epicIssues = ({ id }: ColumnTypes): string => `
alter table epic add column parent_id bigint references epic (id) on delete set null;
alter table epic add column parent_position bigint;
create index epic_by_parent on epic (parent_id, parent_position, id);

create table epic_issue (
  id ${id},
  epic_id bigint not null references epic (id) on delete cascade,
  issue_id bigint not null references issue (id) on delete cascade,
  position bigint not null,
  created_at bigint not null,
  constraint epic_issue_once unique (issue_id)
);
create index epic_issue_in_order on epic_issue (epic_id, position, id);

create table epic_link (
  id ${id},
  source_id bigint not null references epic (id) on delete cascade,
  target_id bigint not null references epic (id) on delete cascade,
  link_type text not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint epic_link_once unique (source_id, target_id)
);
create index epic_link_by_target on epic_link (target_id);
`
