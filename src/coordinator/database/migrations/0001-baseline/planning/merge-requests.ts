import type { ColumnTypes } from '../../column-types.js'

/** Merge requests, their people, labels, versions and approvals. */
export const mergeRequests = ({ id }: ColumnTypes): string => `
create table merge_request (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  iid bigint not null,
  title text not null,
  description text,
  state text not null default 'opened',
  draft boolean not null default false,
  author_id bigint not null references "user" (id),
  milestone_id bigint references milestone (id) on delete set null,
  source_project_id bigint references project (id) on delete set null,
  source_branch text not null,
  target_branch text not null,
  created_at bigint not null,
  updated_at bigint not null,
  prepared_at bigint,
  -- Settings.
  discussion_locked boolean,
  squash boolean not null default false,
  force_remove_source_branch boolean not null default false,
  remove_source_branch_by_id bigint references "user" (id) on delete set null,
  allow_collaboration boolean not null default false,
  collaboration_by_id bigint references "user" (id) on delete set null,
  time_estimate bigint not null default 0,
  total_time_spent bigint not null default 0,
  upvotes integer not null default 0,
  downvotes integer not null default 0,
  -- Commits.
  head_sha text,
  unbuilt_head_sha text,
  merge_status text not null default 'unchecked',
  checked_head_sha text,
  checked_target_sha text,
  merge_error text,
  rebase_in_progress boolean not null default false,
  -- Merge.
  merge_when_pipeline_succeeds boolean not null default false,
  merge_user_id bigint references "user" (id) on delete set null,
  merge_params text,
  in_progress_merge_sha text,
  merge_commit_sha text,
  squash_commit_sha text,
  merged_at bigint,
  merged_by_id bigint references "user" (id) on delete set null,
  closed_at bigint,
  closed_by_id bigint references "user" (id) on delete set null,
  -- Edits.
  updated_by_id bigint references "user" (id) on delete set null,
  last_edited_at bigint,
  last_edited_by_id bigint references "user" (id) on delete set null,
  constraint merge_request_of_project unique (project_id, iid)
);
create index merge_request_list_by_created_at on merge_request (project_id, created_at, id, state);
create index merge_request_by_created_at on merge_request (created_at, id, project_id, state);
create index merge_request_list_by_updated_at on merge_request (project_id, updated_at, id, state);
create index merge_request_by_updated_at on merge_request (updated_at, id, project_id, state);
create index merge_request_by_author on merge_request (author_id, created_at, id);
create index merge_request_by_source on merge_request (source_project_id, source_branch, state);
create index merge_request_by_target on merge_request (project_id, target_branch, state);
create index merge_request_by_head on merge_request (project_id, head_sha);
create index merge_request_by_merge_commit on merge_request (project_id, merge_commit_sha);
create index merge_request_by_milestone_id on merge_request (milestone_id);
create index merge_request_by_merge_user_id on merge_request (merge_user_id);
create index merge_request_by_merged_by_id on merge_request (merged_by_id);
create index merge_request_by_closed_by_id on merge_request (closed_by_id);
create index merge_request_by_updated_by_id on merge_request (updated_by_id);
create index merge_request_by_last_edited_by_id on merge_request (last_edited_by_id);
-- One open merge request for a pair of branches.
create unique index merge_request_open_once on merge_request (
  source_project_id, source_branch, project_id, target_branch
) where state in ('opened', 'locked');
create index merge_request_to_merge on merge_request (merge_when_pipeline_succeeds, state);
create index merge_request_list_by_title on merge_request (project_id, title, id, state);
create index merge_request_by_title on merge_request (title, id, project_id, state);
create index merge_request_list_by_upvotes on merge_request (project_id, upvotes, id, state);
create index merge_request_by_upvotes on merge_request (upvotes, id, project_id, state);
create index merge_request_by_source_branch on merge_request (source_branch, project_id);
create index merge_request_list_by_merged_at_asc on merge_request (
  project_id, coalesce(merged_at, 9007199254740991), id
);
create index merge_request_by_merged_at_asc on merge_request (
  coalesce(merged_at, 9007199254740991), id, project_id
);
create index merge_request_list_by_merged_at_desc on merge_request (project_id, coalesce(merged_at, -1), id);
create index merge_request_by_merged_at_desc on merge_request (coalesce(merged_at, -1), id, project_id);
create index merge_request_list_by_draft on merge_request (project_id, draft, created_at, id, state);
create index merge_request_of_project_in_order on merge_request (project_id);
create index merge_request_locked on merge_request (updated_at) where state = 'locked';
create index merge_request_by_squash_commit on merge_request (project_id, squash_commit_sha)
  where squash_commit_sha is not null;
create index merge_request_list_by_milestone on merge_request (project_id, milestone_id, id, state);
create index merge_request_remove_source_branch_by_id on merge_request (remove_source_branch_by_id)
  where remove_source_branch_by_id is not null;
create index merge_request_collaboration_by_id on merge_request (collaboration_by_id)
  where collaboration_by_id is not null;

create table merge_request_assignee (
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  position integer not null,
  constraint merge_request_assignee_once primary key (merge_request_id, user_id)
);
create index merge_request_assignee_by_user on merge_request_assignee (user_id, merge_request_id);

create table merge_request_reviewer (
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  position integer not null,
  state text not null default 'unreviewed',
  created_at bigint not null,
  constraint merge_request_reviewer_once primary key (merge_request_id, user_id)
);
create index merge_request_reviewer_by_user on merge_request_reviewer (user_id, merge_request_id);

create table merge_request_subscription (
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  subscribed boolean not null,
  constraint merge_request_subscription_once primary key (merge_request_id, user_id)
);
create index merge_request_subscription_by_user on merge_request_subscription (user_id, merge_request_id);

create table merge_request_label (
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  label_id bigint not null references label (id) on delete cascade,
  constraint merge_request_label_once primary key (merge_request_id, label_id)
);
create index merge_request_label_by_label_id on merge_request_label (label_id, merge_request_id);

create table merge_request_approval (
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  head_sha text,
  target_branch text,
  created_at bigint not null,
  constraint merge_request_approval_once primary key (merge_request_id, user_id)
);
create index merge_request_approval_by_user on merge_request_approval (user_id, merge_request_id);

create table merge_request_issue (
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  issue_id bigint not null references issue (id) on delete cascade,
  closes boolean not null default true,
  constraint merge_request_closes_issue_once primary key (merge_request_id, issue_id)
);
create index merge_request_closes_issue_by_issue_id on merge_request_issue (issue_id, merge_request_id);

create table merge_request_version (
  id ${id},
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  head_sha text not null,
  base_sha text not null,
  start_sha text not null,
  commit_count integer not null,
  file_count integer not null,
  pushed_by_id bigint references "user" (id) on delete set null,
  reported boolean not null default false,
  created_at bigint not null
);
create index merge_request_version_of on merge_request_version (merge_request_id, id);
create index merge_request_version_by_pusher on merge_request_version (pushed_by_id);
`
