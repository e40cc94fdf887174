import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Merge requests that wait for each other, so that each result is tested before the target branch moves to it. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnTypes(dialect)
  await executeStatements(
    db,
    `
alter table project add column merge_trains_enabled boolean not null default false;
alter table project add column merge_trains_limit integer not null default 20;

create table merge_train (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  target_branch text not null,
  run integer not null default 1,
  generation integer not null default 0,
  planned_generation integer not null default 0,
  claimed_until bigint,
  created_at bigint not null,
  constraint merge_train_once unique (project_id, target_branch)
);
create index merge_train_to_plan on merge_train (id) where generation <> planned_generation;

create table merge_train_car (
  id ${id},
  train_id bigint not null references merge_train (id) on delete cascade,
  run integer not null,
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  user_id bigint references "user" (id) on delete set null,
  state text not null default 'active',
  head_sha text not null,
  -- The latest merged result, and the commit on which it was made; no commit = a conflict.
  parent_sha text,
  commit_sha text,
  merge_commit_sha text,
  squash_commit_sha text,
  -- The pipeline with which it was merged.
  pipeline_id bigint references pipeline (id) on delete set null,
  created_at bigint not null,
  updated_at bigint not null,
  merged_at bigint
);
create index merge_train_car_of on merge_train_car (train_id, id);
create unique index merge_train_car_active on merge_train_car (merge_request_id) where state = 'active';
create index merge_train_car_by_merge_request_id on merge_train_car (merge_request_id, id);
create index merge_train_car_by_pipeline_id on merge_train_car (pipeline_id);
create index merge_train_car_by_user_id on merge_train_car (user_id);

create table merge_train_test (
  id ${id},
  train_id bigint not null references merge_train (id) on delete cascade,
  run integer not null,
  car_id bigint not null references merge_train_car (id) on delete cascade,
  commit_sha text not null,
  pipeline_id bigint references pipeline (id) on delete set null,
  -- Why no pipeline was created, which counts as a failed one.
  refusal text,
  state text not null default 'open',
  created_at bigint not null
);
create unique index merge_train_test_open on merge_train_test (train_id, commit_sha) where state = 'open';
create index merge_train_test_of on merge_train_test (train_id, id);
create index merge_train_test_by_car_id on merge_train_test (car_id);
create index merge_train_test_by_pipeline_id on merge_train_test (pipeline_id);
`,
  )
}
