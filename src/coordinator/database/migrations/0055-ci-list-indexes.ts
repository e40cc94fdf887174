import type { Kysely } from 'kysely'

/** Covering indexes for pages of runners, variables, schedules, releases and events. */
const INDEXES: Record<string, { of: string; columns: string[]; instead?: string[] }> = {
  runner_project_list: {
    of: 'runner_project',
    columns: ['project_id', 'runner_id'],
    instead: ['runner_project_by_project_id'],
  },
  runner_list_of_group: {
    of: 'runner',
    columns: ['group_id', 'id'],
    instead: ['runner_by_group_id'],
  },
  ci_variable_list: { of: 'ci_variable', columns: ['project_id', 'namespace_id', 'id'] },
  resource_group_list: { of: 'resource_group', columns: ['project_id', 'id'] },
  pipeline_schedule_list: {
    of: 'pipeline_schedule',
    columns: ['project_id', 'id', 'active'],
    instead: ['pipeline_schedule_by_project_id'],
  },
  protected_ref_list: { of: 'protected_ref', columns: ['project_id', 'kind', 'name', 'id'] },
  release_list: {
    of: 'release',
    columns: ['project_id', 'released_at', 'id'],
    instead: ['release_by_released_at'],
  },
  audit_event_list_of_entity: {
    of: 'audit_event',
    columns: ['entity_type', 'entity_id', 'id', 'created_at'],
    instead: ['audit_event_by_entity'],
  },
  audit_event_list_of_type: {
    of: 'audit_event',
    columns: ['entity_type', 'id', 'created_at'],
    instead: ['audit_event_by_entity_type'],
  },
}

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  for (const [name, { of, columns, instead = [] }] of Object.entries(INDEXES)) {
    for (const old of instead) await schema.dropIndex(old).execute()
    await schema.createIndex(name).on(of).columns(columns).execute()
  }
}
