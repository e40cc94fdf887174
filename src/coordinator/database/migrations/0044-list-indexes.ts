import type { Kysely } from 'kysely'

/**
 * Indexes for long lists. A page is located in an index, so each index has the columns of the order, the
 * usual filters and the visibility rules. Hidden rows are not read.
 */
const INDEXES: Record<string, { table: string; columns: string[]; replaces?: string }> = {
  audit_event_by_entity_type: { table: 'audit_event', columns: ['entity_type', 'id'] },
  deployment_list: { table: 'deployment', columns: ['project_id', 'id', 'status'] },
  deployment_in_order_of_updated_at: {
    table: 'deployment',
    columns: ['project_id', 'updated_at', 'id', 'status'],
  },
  deployment_by_environment_and_id: { table: 'deployment', columns: ['environment_id', 'id'] },
  environment_list: { table: 'environment', columns: ['project_id', 'id', 'state', 'name'] },
  hook_log_list: {
    table: 'hook_log',
    columns: ['hook_id', 'id', 'response_code'],
    replaces: 'hook_log_by_hook_id',
  },
  job_list_of_project: {
    table: 'job',
    columns: ['project_id', 'kind', 'id', 'status'],
    replaces: 'job_list',
  },
  job_list_of_runner: {
    table: 'job',
    columns: ['runner_id', 'id', 'kind', 'status', 'project_id'],
    replaces: 'job_by_runner',
  },
  namespace_in_order_of_name: {
    table: 'namespace',
    columns: ['name', 'id', 'kind', 'visibility', 'owner_id', 'parent_id'],
  },
  namespace_by_kind_and_name: {
    table: 'namespace',
    columns: ['kind', 'name', 'id', 'visibility', 'parent_id'],
    replaces: 'namespace_by_name',
  },
  namespace_by_kind_and_path: { table: 'namespace', columns: ['kind', 'path', 'id', 'visibility'] },
  personal_access_token_list: {
    table: 'personal_access_token',
    columns: ['user_id', 'id', 'impersonation', 'revoked', 'expires_at'],
    replaces: 'personal_access_token_by_user_id',
  },
  pipeline_list_of_project: {
    table: 'pipeline',
    columns: ['project_id', 'id', 'source', 'status', 'user_id'],
    replaces: 'pipeline_list',
  },
  pipeline_by_ref: {
    table: 'pipeline',
    columns: ['project_id', 'ref', 'id', 'tag', 'source'],
    replaces: 'pipeline_by_project_id_and_ref_and_id',
  },
  pipeline_in_order_of_updated_at: {
    table: 'pipeline',
    columns: ['project_id', 'updated_at', 'id', 'source', 'status'],
  },
  project_list: {
    table: 'project',
    columns: ['created_at', 'id', 'visibility', 'namespace_id', 'archived', 'name', 'path'],
    replaces: 'project_in_order_of_created_at',
  },
  project_list_of_namespace: {
    table: 'project',
    columns: ['namespace_id', 'created_at', 'id', 'visibility', 'archived', 'name', 'path'],
    replaces: 'project_by_namespace_id',
  },
  release_by_created_at: { table: 'release', columns: ['project_id', 'created_at', 'id'] },
  user_by_state: { table: 'user', columns: ['state', 'id', 'kind'] },
  user_by_name: { table: 'user', columns: ['name', 'id'] },
  user_profile_by_updated_at: { table: 'user_profile', columns: ['updated_at', 'user_id'] },
}

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  for (const [name, { table, columns, replaces }] of Object.entries(INDEXES)) {
    await schema.createIndex(name).on(table).columns(columns).execute()
    if (replaces) await schema.dropIndex(replaces).execute()
  }
}
