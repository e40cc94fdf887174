import type { NoteFacts } from '../outbox/emit-note-event.js'
import {
  commitBlock,
  hookTime,
  type ProjectAround,
  projectBlock,
  projectUrl,
  repositoryBlock,
  userBlock,
} from './blocks.js'
import { findCommit, findUser, loadProject, type PayloadDeps } from './payload-deps.js'

/** `note` on a commit (API, K5); undefined if its project or author was deleted. */
export async function notePayload(deps: PayloadDeps, projectId: number | null, { comment }: NoteFacts) {
  const around = await loadProject(deps, projectId)
  const user = await findUser(deps, comment.author_id ?? 0)
  if (!around || !user) return undefined
  const commit = await findCommit(deps, around.project.id, comment.sha)
  return {
    object_kind: 'note',
    event_type: 'note',
    user: userBlock(user, around.externalUrl),
    project_id: around.project.id,
    project: projectBlock(around),
    object_attributes: attributesOf(around, comment),
    repository: repositoryBlock(around),
    commit: commit ? commitBlock(commit, around) : null,
  }
}

/** A comment on a commit starts no discussion, cannot be resolved and never changes. */
function attributesOf(around: ProjectAround, { id, note, sha, author_id, ...comment }: NoteFacts['comment']) {
  const created_at = hookTime(comment.created_at)
  return {
    attachment: null,
    author_id,
    change_position: null,
    commit_id: sha,
    created_at,
    discussion_id: null,
    id,
    line_code: null,
    note,
    noteable_id: null,
    noteable_type: 'Commit',
    original_position: null,
    position: null,
    project_id: comment.project_id,
    resolved_at: null,
    resolved_by_id: null,
    resolved_by_push: null,
    st_diff: null,
    system: false,
    type: null,
    updated_at: created_at,
    updated_by_id: null,
    description: note,
    url: `${projectUrl(around)}/-/commit/${sha}#note_${id}`,
    action: 'create',
  }
}
