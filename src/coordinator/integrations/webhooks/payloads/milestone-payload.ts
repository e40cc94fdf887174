import type { MilestoneFacts } from '../outbox/emit-milestone-event.js'
import { hookTime } from './hook-times.js'
import { loadProject, type PayloadDeps } from './payload-deps.js'
import { projectBlock } from './project-blocks.js'

/** `milestone` (API, K5); undefined if its project or group was deleted. */
export async function milestonePayload(
  deps: PayloadDeps,
  projectId: number | null,
  { milestone, action }: MilestoneFacts,
) {
  const owner = await ownerBlocks(deps, projectId, milestone.group_id)
  if (!owner) return undefined
  const { id, iid, title, description, state, due_date, start_date, group_id, project_id } = milestone
  return {
    object_kind: 'milestone',
    event_type: 'milestone',
    ...owner,
    object_attributes: {
      id,
      iid,
      title,
      description,
      state,
      created_at: hookTime(milestone.created_at),
      updated_at: hookTime(milestone.updated_at),
      due_date,
      start_date,
      group_id,
      project_id,
    },
    action,
  }
}

async function ownerBlocks(deps: PayloadDeps, projectId: number | null, groupId: number | null) {
  if (projectId !== null) {
    const around = await loadProject(deps, projectId)
    return around && { project: projectBlock(around) }
  }
  const group = await deps.database
    .selectFrom('namespace')
    .select(['name as group_name', 'path as group_path', 'id as group_id', 'full_path'])
    .where('id', '=', groupId ?? 0)
    .executeTakeFirst()
  return group && { project: null, group }
}
