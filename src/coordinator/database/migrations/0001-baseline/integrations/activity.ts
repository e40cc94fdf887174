import type { ColumnTypes } from '../../column-types.js'

/** Activity of users in projects, for lists of events (API, G8). */
export const activity = ({ id }: ColumnTypes): string => `
create table activity (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  author_id bigint not null references "user" (id) on delete cascade,
  action text not null,
  issue_id bigint references issue (id) on delete cascade,
  merge_request_id bigint references merge_request (id) on delete cascade,
  milestone_id bigint references milestone (id) on delete cascade,
  wiki_page_id bigint references wiki_page (id) on delete cascade,
  note_id bigint references note (id) on delete cascade,
  ref_kind text,
  ref text,
  ref_count integer,
  push_action text,
  commit_from text,
  commit_to text,
  commit_count integer,
  commit_title text,
  created_at bigint not null
);
create index activity_by_project on activity (project_id, id);
create index activity_by_author on activity (author_id, id);
create index activity_by_time on activity (created_at, id);
create index activity_by_issue on activity (issue_id) where issue_id is not null;
create index activity_by_merge_request on activity (merge_request_id) where merge_request_id is not null;
create index activity_by_milestone on activity (milestone_id) where milestone_id is not null;
create index activity_by_wiki_page on activity (wiki_page_id) where wiki_page_id is not null;
create index activity_by_note on activity (note_id) where note_id is not null;
`
