import type { ColumnTypes } from '../../column-types.js'

/** Releases: tags with notes and links (API, J). */
export const releases = ({ id }: ColumnTypes): string => `
create table release (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  tag text not null,
  name text not null,
  description text,
  sha text not null,
  author_id bigint references "user" (id) on delete set null,
  released_at bigint not null,
  -- No reference: it is compared with a running job, and means nothing after that job.
  job_id bigint,
  evidence_due_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  constraint release_once unique (project_id, tag)
);
create index release_by_created_at on release (project_id, created_at, id);
create index release_list on release (project_id, released_at, id);
create index release_in_order_of_released_at on release (released_at, id, project_id);
create index release_by_evidence_due_at on release (evidence_due_at) where evidence_due_at is not null;

create table release_link (
  id ${id},
  release_id bigint not null references release (id) on delete cascade,
  name text not null,
  url text not null,
  filepath text,
  link_type text not null,
  created_at bigint not null,
  constraint release_link_name_once unique (release_id, name),
  constraint release_link_url_once unique (release_id, url),
  constraint release_link_filepath_once unique (release_id, filepath)
);

-- Snapshots of releases.
create table release_evidence (
  id ${id},
  release_id bigint not null references release (id) on delete cascade,
  sha256 text not null,
  summary text not null,
  collected_at bigint not null
);
create index release_evidence_of_release on release_evidence (release_id, id);

create table release_milestone (
  release_id bigint not null references release (id) on delete cascade,
  milestone_id bigint not null references milestone (id) on delete cascade,
  constraint release_milestone_once primary key (release_id, milestone_id)
);
create index release_milestone_by_milestone_id on release_milestone (milestone_id);
`
