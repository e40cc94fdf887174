import type { ColumnTypes } from '../../column-types.js'

/** Webhooks, the outbox of their deliveries, and the delivery log (API, K). */
export const webhooks = ({ id, json }: ColumnTypes): string => `
create table web_hook (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  group_id bigint references namespace (id) on delete cascade,
  integration_id bigint references integration (id) on delete cascade,
  name text,
  description text,
  url_encrypted text not null,
  token_encrypted text,
  url_variables_encrypted text,
  custom_headers_encrypted text,
  custom_webhook_template text,
  enable_ssl_verification boolean not null,
  created_at bigint not null,
  updated_at bigint not null,
  -- Delivery.
  recent_failures integer not null default 0,
  disabled_until bigint,
  lease_owner text,
  lease_until bigint,
  -- Events.
  push_events boolean not null,
  push_events_branch_filter text,
  branch_filter_strategy text not null,
  tag_push_events boolean not null,
  issues_events boolean not null,
  confidential_issues_events boolean not null,
  merge_requests_events boolean not null,
  note_events boolean not null,
  confidential_note_events boolean not null,
  job_events boolean not null,
  pipeline_events boolean not null,
  wiki_page_events boolean not null,
  deployment_events boolean not null,
  releases_events boolean not null,
  feature_flag_events boolean not null,
  milestone_events boolean not null,
  emoji_events boolean not null,
  resource_access_token_events boolean not null,
  repository_update_events boolean not null,
  member_events boolean not null default false,
  subgroup_events boolean not null default false,
  project_events boolean not null default false
);
create index web_hook_by_project_id on web_hook (project_id, id) where project_id is not null;
create index web_hook_by_group_id on web_hook (group_id, id) where group_id is not null;
create index web_hook_of_integration on web_hook (integration_id) where integration_id is not null;
create index web_hook_of_instance on web_hook (id) where project_id is null and group_id is null;

create table hook_event (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  uuid text not null,
  "trigger" text not null,
  kind text not null,
  facts ${json} not null,
  payload_encrypted text,
  created_at bigint not null
);
create index hook_event_by_uuid on hook_event (uuid);
create index hook_event_by_created_at on hook_event (created_at);
create index hook_event_by_project_id on hook_event (project_id);

create table hook_delivery (
  id ${id},
  hook_id bigint not null references web_hook (id) on delete cascade,
  event_id bigint not null references hook_event (id) on delete cascade,
  idempotency_key text not null,
  attempts integer not null default 0,
  due_at bigint not null,
  requests_done integer not null default 0,
  created_at bigint not null
);
create index hook_delivery_in_order on hook_delivery (hook_id, due_at, id);
create index hook_delivery_by_event_id on hook_delivery (event_id);

create table hook_log (
  id ${id},
  hook_id bigint not null references web_hook (id) on delete cascade,
  event_id bigint not null references hook_event (id) on delete cascade,
  url text not null,
  request_headers ${json} not null,
  response_headers ${json} not null,
  response_body text,
  response_status text not null,
  response_code integer,
  execution_duration double precision not null,
  created_at bigint not null
);
create index hook_log_by_event_id on hook_log (event_id);
create index hook_log_list on hook_log (hook_id, id, response_code);
`
