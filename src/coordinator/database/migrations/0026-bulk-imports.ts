import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Imports of groups from other servers. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnTypes(dialect)
  await executeStatements(
    db,
    `
create table bulk_import (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  source_url text not null,
  token_encrypted text,
  dry_run boolean not null default false,
  status text not null default 'created',
  error text,
  claimed_until bigint,
  created_at bigint not null,
  updated_at bigint not null,
  finished_at bigint
);
create index bulk_import_of_user on bulk_import (user_id, id);
create index bulk_import_open on bulk_import (id) where finished_at is null;

-- A group or a project of an import.
create table bulk_import_entity (
  id ${id},
  bulk_import_id bigint not null references bulk_import (id) on delete cascade,
  parent_id bigint references bulk_import_entity (id) on delete cascade,
  source_type text not null,
  source_full_path text not null,
  source_id bigint,
  destination_slug text not null,
  destination_namespace text not null,
  migrate_projects boolean not null default true,
  migrate_memberships boolean not null default true,
  depth integer not null default 0,
  status text not null default 'created',
  error text,
  step text,
  position text,
  group_id bigint references namespace (id) on delete set null,
  project_id bigint references project (id) on delete set null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint bulk_import_entity_once unique (bulk_import_id, source_type, source_full_path)
);
create index bulk_import_entity_of_parent on bulk_import_entity (parent_id);
create index bulk_import_entity_of_group on bulk_import_entity (group_id);
create index bulk_import_entity_of_project on bulk_import_entity (project_id);

-- What became of each object of the source. The report is made of these rows, and a later attempt or import finds here
-- what is there already.
create table bulk_import_item (
  id ${id},
  entity_id bigint not null references bulk_import_entity (id) on delete cascade,
  kind text not null,
  source_key text not null,
  name text,
  outcome text not null,
  reason text,
  target_id bigint,
  created_at bigint not null,
  constraint bulk_import_item_once unique (entity_id, kind, source_key)
);
create index bulk_import_item_with_reason on bulk_import_item (entity_id, id) where reason is not null;
`,
  )
}
