import type { ColumnTypes } from '../../column-types.js'

/** Projects and their settings. */
export const projects = ({ id }: ColumnTypes): string => `
create table project (
  id ${id},
  namespace_id bigint not null references namespace (id),
  creator_id bigint not null references "user" (id),
  name text not null,
  path text not null,
  full_path text not null,
  description text,
  visibility text not null,
  default_branch text,
  archived boolean not null default false,
  forked_from_id bigint references project (id) on delete set null,
  avatar_name text,
  avatar_key text,
  created_at bigint not null,
  updated_at bigint not null,
  last_activity_at bigint not null,
  -- Counts, which lists show or are ordered by.
  star_count integer not null default 0,
  pipeline_count integer not null default 0,
  milestone_count integer not null default 0,
  issue_count integer not null default 0,
  open_issue_count integer not null default 0,
  open_confidential_issue_count integer not null default 0,
  merge_request_count integer not null default 0,
  open_merge_request_count integer not null default 0,
  storage_size bigint not null default 0,
  -- Deletion.
  marked_for_deletion_at bigint,
  marked_for_deletion_by_id bigint references "user" (id) on delete set null,
  name_when_restored text,
  path_when_restored text,
  deletion_started_at bigint,
  -- Import and mirror.
  import_status text not null default 'none',
  import_type text,
  import_error text,
  mirror boolean not null default false,
  -- Features.
  repository_access_level text not null default 'enabled',
  issues_access_level text not null default 'enabled',
  merge_requests_access_level text not null default 'enabled',
  forking_access_level text not null default 'enabled',
  builds_access_level text not null default 'enabled',
  releases_access_level text not null default 'enabled',
  environments_access_level text not null default 'enabled',
  wiki_access_level text not null default 'enabled',
  snippets_access_level text not null default 'enabled',
  operations_access_level text not null default 'enabled',
  analytics_access_level text not null default 'enabled',
  pages_access_level text not null default 'disabled',
  container_registry_access_level text not null default 'disabled',
  lfs_enabled boolean not null default false,
  request_access_enabled boolean not null default true,
  emails_disabled boolean not null default false,
  auto_devops_enabled boolean not null default false,
  auto_devops_deploy_strategy text not null default 'continuous',
  -- Merge.
  merge_method text not null default 'merge',
  squash_option text not null default 'default_off',
  only_allow_merge_if_pipeline_succeeds boolean not null default false,
  only_allow_merge_if_all_discussions_are_resolved boolean not null default false,
  allow_merge_on_skipped_pipeline boolean not null default false,
  remove_source_branch_after_merge boolean not null default true,
  resolve_outdated_diff_discussions boolean not null default false,
  autoclose_referenced_issues boolean not null default true,
  printing_merge_request_link_enabled boolean not null default true,
  suggestion_commit_message text,
  merge_commit_template text,
  squash_commit_template text,
  approvals_before_merge integer not null default 0,
  reset_approvals_on_push boolean not null default true,
  merge_requests_author_approval boolean not null default false,
  -- CI.
  ci_config_path text,
  ci_default_git_depth integer not null default 20,
  build_git_strategy text not null default 'fetch',
  build_timeout integer not null default 3600,
  build_coverage_regex text,
  auto_cancel_pending_pipelines boolean not null default true,
  restrict_user_defined_variables boolean not null default false,
  pipeline_variables_minimum_override_role text not null default 'maintainer',
  ci_forward_deployment_enabled boolean not null default true,
  ci_forward_deployment_rollback_allowed boolean not null default true,
  allow_pipeline_trigger_approve_deployment boolean not null default false,
  ci_delete_pipelines_in_seconds integer,
  keep_latest_artifact boolean not null default true,
  max_artifacts_size integer,
  jobs_cache_index integer not null default 0,
  public_jobs boolean not null default true,
  secure_files_protected_refs_only boolean not null default false,
  job_token_scope_enabled boolean not null default true,
  shared_runners_enabled boolean not null default true,
  group_runners_enabled boolean not null default true,
  runners_token_digest text not null unique,
  runners_token_encrypted text not null
);
create unique index project_full_path_once on project (lower(full_path));
create index project_in_order_of_updated_at on project (updated_at, id, visibility);
create index project_in_order_of_last_activity_at on project (last_activity_at, id, visibility);
create index project_in_order_of_name on project (name, id, visibility);
create index project_in_order_of_path on project (path, id, visibility);
create index project_list on project (created_at, id, visibility, namespace_id, archived, name, path);
create index project_by_stars on project (star_count, id);
create index project_fork_list on project (forked_from_id, created_at, id, visibility, namespace_id);
create index project_list_in_namespace on project (
  namespace_id, created_at, id, visibility, archived, name, path, releases_access_level
);
create index project_marked_for_deletion on project (marked_for_deletion_at)
  where marked_for_deletion_at is not null;
create index project_list_by_name on project (name, id);
create index project_by_issue_count on project (namespace_id, id) where issue_count > 0;
create index project_by_merge_request_count on project (namespace_id, id) where merge_request_count > 0;
create index project_in_order_of_storage_size on project (storage_size, id, visibility);
create index project_deletion_started on project (deletion_started_at)
  where deletion_started_at is not null;
create index project_marked_for_deletion_by_id on project (marked_for_deletion_by_id)
  where marked_for_deletion_by_id is not null;

create table project_topic (
  project_id bigint not null references project (id) on delete cascade,
  name text not null,
  position integer not null,
  constraint project_topic_once primary key (project_id, name)
);
create index project_topic_by_name on project_topic (lower(name));

create table project_star (
  user_id bigint not null references "user" (id) on delete cascade,
  project_id bigint not null references project (id) on delete cascade,
  created_at bigint not null,
  constraint project_star_once primary key (user_id, project_id)
);
create index project_star_list on project_star (project_id, created_at, user_id);

create table project_upload (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  uploader_id bigint references "user" (id) on delete set null,
  secret text not null unique,
  filename text not null,
  content_type text not null,
  size bigint not null,
  created_at bigint not null
);
create index project_upload_by_project on project_upload (project_id);

create table badge (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  name text,
  link_url text not null,
  image_url text not null,
  created_at bigint not null
);
create index badge_by_project on badge (project_id);
create index badge_by_group on badge (group_id);

-- Former paths of projects and namespaces (API, A6).
create table old_path (
  path text not null,
  project_id bigint references project (id) on delete cascade,
  namespace_id bigint references namespace (id) on delete cascade,
  created_at bigint not null,
  constraint old_path_of_one check ((project_id is null) <> (namespace_id is null))
);
create unique index old_path_once on old_path (lower(path));
create index old_path_by_project_id on old_path (project_id);
create index old_path_by_namespace_id on old_path (namespace_id);

-- Deleted projects whose files remain. No reference: the rows describe deleted projects.
create table removed_project (
  project_id bigint primary key,
  created_at bigint not null
);

-- Job token allowlists: a project accepts its own tokens and those of listed projects and groups, or all
-- tokens.
create table job_token_project (
  project_id bigint not null references project (id) on delete cascade,
  allowed_project_id bigint not null references project (id) on delete cascade,
  created_at bigint not null,
  constraint job_token_project_once primary key (project_id, allowed_project_id)
);
create index job_token_project_by_allowed_project_id on job_token_project (allowed_project_id);

create table job_token_group (
  project_id bigint not null references project (id) on delete cascade,
  allowed_group_id bigint not null references namespace (id) on delete cascade,
  created_at bigint not null,
  constraint job_token_group_once primary key (project_id, allowed_group_id)
);
create index job_token_group_by_allowed_group_id on job_token_group (allowed_group_id);
`
