import type { EmojiFacts } from '../outbox/emit-emoji-event.js'
import { hookTime } from './hook-times.js'
import { noteableOf, noteBlock, subjectBlock } from './note-payload.js'
import { findUser, loadProject, type PayloadDeps } from './payload-deps.js'
import { projectBlock, projectUrl } from './project-blocks.js'
import { userBlock } from './user-block.js'

/** `emoji` (API, K5); undefined if its project or the user was deleted. */
export async function emojiPayload(deps: PayloadDeps, projectId: number | null, facts: EmojiFacts) {
  const { award, action, userId, on, note } = facts
  const around = await loadProject(deps, projectId)
  const user = await findUser(deps, userId)
  if (!around || !user) return undefined
  const { id, type, path } = noteableOf(on)
  const url = `${projectUrl(around)}/-/${path}`
  return {
    object_kind: 'emoji',
    event_type: action,
    user: userBlock(user, around.externalUrl),
    project_id: around.project.id,
    project: projectBlock(around),
    object_attributes: {
      user_id: award.user_id,
      created_at: hookTime(award.created_at),
      id: award.id,
      name: award.name,
      awardable_type: note ? 'Note' : type,
      awardable_id: note ? note.id : id,
      updated_at: hookTime(award.updated_at),
      action,
      awarded_on_url: note ? `${url}#note_${note.id}` : url,
    },
    ...(note && { note: noteBlock(around, note, on) }),
    ...(await subjectBlock(deps, around, on)),
  }
}
