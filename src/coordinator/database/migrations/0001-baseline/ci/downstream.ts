import type { ColumnTypes } from '../../column-types.js'

/** Trigger jobs and downstream pipelines (CI language, 13). */
export const downstream = ({ id }: ColumnTypes): string => `
-- No references to upstream rows: a downstream pipeline keeps its origin after the upstream one is deleted.
create table downstream_pipeline (
  pipeline_id bigint primary key references pipeline (id) on delete cascade,
  kind text not null,
  strategy text,
  upstream_job_id bigint not null,
  upstream_pipeline_id bigint not null,
  upstream_project_id bigint not null,
  depth integer not null,
  root_id bigint not null,
  hierarchy_root_id bigint not null,
  created_at bigint not null
);
create index downstream_pipeline_by_upstream_job_id on downstream_pipeline (upstream_job_id);
create index downstream_pipeline_by_upstream_pipeline_id on downstream_pipeline (upstream_pipeline_id);
create index downstream_pipeline_by_upstream_project_id_and_created_at on downstream_pipeline (
  upstream_project_id, created_at
);
create index downstream_pipeline_by_hierarchy_root_id on downstream_pipeline (hierarchy_root_id);

create table mirrored_pipeline (
  job_id bigint primary key references job (id) on delete cascade,
  pipeline_id bigint not null references pipeline (id) on delete cascade
);
create index mirrored_pipeline_by_pipeline_id on mirrored_pipeline (pipeline_id);

-- No references: a task whose subject was deleted has nothing to do.
create table bridge_task (
  id ${id},
  kind text not null,
  subject_id bigint not null,
  created_at bigint not null
);
create index bridge_task_by_subject_id on bridge_task (subject_id);
`
