import type { ColumnTypes } from '../../column-types.js'

/** Comments, suggestions and emoji. */
export const notes = ({ id, json }: ColumnTypes): string => `
create table note (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  issue_id bigint references issue (id) on delete cascade,
  merge_request_id bigint references merge_request (id) on delete cascade,
  epic_id bigint references epic (id) on delete cascade,
  snippet_id bigint references snippet (id) on delete cascade,
  commit_sha text,
  discussion_id text not null,
  type text,
  author_id bigint not null references "user" (id),
  body text not null,
  system boolean not null default false,
  action text,
  internal boolean not null default false,
  created_at bigint not null,
  updated_at bigint not null,
  last_edited_at bigint,
  resolved_at bigint,
  resolved_by_id bigint references "user" (id) on delete set null,
  -- Position in a diff.
  position ${json},
  original_position ${json},
  line_code text,
  head_sha text,
  outdated_at bigint,
  -- The place that names the object, whose visibility may change. No references: a note without it is
  -- hidden.
  named_by_issue_id bigint,
  named_by_merge_request_id bigint,
  named_by_project_id bigint
);
create index note_of_issue_id_by_created_at on note (issue_id, created_at, id, system);
create index note_of_issue_id_by_updated_at on note (issue_id, updated_at, id);
create index note_of_issue_id_by_discussion on note (issue_id, discussion_id, id);
create index note_of_merge_request_id_by_created_at on note (merge_request_id, created_at, id, system);
create index note_of_merge_request_id_by_updated_at on note (merge_request_id, updated_at, id);
create index note_of_merge_request_id_by_discussion on note (merge_request_id, discussion_id, id);
create index note_of_epic_id_by_created_at on note (epic_id, created_at, id, system);
create index note_of_epic_id_by_updated_at on note (epic_id, updated_at, id);
create index note_of_epic_id_by_discussion on note (epic_id, discussion_id, id);
create index note_by_author on note (author_id, id);
create index note_of_project on note (project_id, id);
create index note_by_resolver on note (resolved_by_id);
create index note_by_discussion on note (discussion_id);
create index note_by_commit on note (commit_sha, project_id, id);
create index note_of_snippet on note (snippet_id, id);

create table suggestion (
  id ${id},
  note_id bigint not null references note (id) on delete cascade,
  lines_above integer not null,
  lines_below integer not null,
  from_content text not null,
  to_content text not null,
  commit_sha text
);
create index suggestion_by_note on suggestion (note_id);

create table award_emoji (
  id ${id},
  issue_id bigint references issue (id) on delete cascade,
  merge_request_id bigint references merge_request (id) on delete cascade,
  note_id bigint references note (id) on delete cascade,
  snippet_id bigint references snippet (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  name text not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint award_emoji_of_issue unique (issue_id, user_id, name),
  constraint award_emoji_of_merge_request unique (merge_request_id, user_id, name)
);
create index award_emoji_by_user on award_emoji (user_id, name, issue_id);
create index award_emoji_by_voter on award_emoji (user_id, name, merge_request_id);
create unique index award_emoji_of_note on award_emoji (note_id, user_id, name);
create unique index award_emoji_of_snippet on award_emoji (snippet_id, user_id, name);
`
