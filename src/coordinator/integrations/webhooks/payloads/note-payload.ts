import { isConfidential, type NoteFacts, type PlanningNoteFacts } from '../outbox/emit-note-event.js'
import { hookTime, hookTimeOrNull } from './hook-times.js'
import { issueBlock } from './issue-payload.js'
import { mergeRequestBlock } from './merge-request-payload.js'
import { findCommit, findUser, loadProject, type PayloadDeps } from './payload-deps.js'
import {
  commitBlock,
  type ProjectAround,
  projectBlock,
  projectUrl,
  repositoryBlock,
} from './project-blocks.js'
import { userBlock } from './user-block.js'

/** `note` (API, K5); undefined if its project or author was deleted. */
export async function notePayload(deps: PayloadDeps, projectId: number | null, facts: NoteFacts) {
  const around = await loadProject(deps, projectId)
  const authorId = 'comment' in facts ? facts.comment.author_id : facts.note.author_id
  const user = await findUser(deps, authorId)
  if (!around || !user) return undefined
  return {
    object_kind: 'note',
    event_type: isConfidential(facts) ? 'confidential_note' : 'note',
    user: userBlock(user, around.externalUrl),
    project_id: around.project.id,
    project: projectBlock(around),
    object_attributes:
      'comment' in facts ? attributesOfComment(around, facts.comment) : attributesOfNote(around, facts),
    repository: repositoryBlock(around),
    ...(await subjectOf(deps, around, facts)),
  }
}

async function subjectOf(deps: PayloadDeps, around: ProjectAround, facts: NoteFacts) {
  if ('comment' in facts) {
    const commit = await findCommit(deps, around.project.id, facts.comment.sha)
    return { commit: commit ? commitBlock(commit, around) : null }
  }
  return subjectBlock(deps, around, facts.on)
}

/** The object of a note, under the key that names its type. */
export async function subjectBlock(deps: PayloadDeps, around: ProjectAround, on: PlanningNoteFacts['on']) {
  if ('issue' in on) return { issue: issueBlock(around, on.issue) }
  if ('snippet' in on) return { snippet: snippetBlock(around, on.snippet) }
  return { merge_request: await mergeRequestBlock(deps, around, on.mergeRequest) }
}

/** ID and type of the object of a note, and the path of its page in the project. */
export function noteableOf(on: PlanningNoteFacts['on']): { id: number; type: string; path: string } {
  if ('issue' in on) {
    const { id, iid } = on.issue.issue
    return { id, type: 'Issue', path: `issues/${iid}` }
  }
  if ('snippet' in on) {
    const { id } = on.snippet
    return { id, type: 'Snippet', path: `snippets/${id}` }
  }
  const { id, iid } = on.mergeRequest.mergeRequest
  return { id, type: 'MergeRequest', path: `merge_requests/${iid}` }
}

const VISIBILITY_LEVELS = { private: 0, internal: 10, public: 20 }

function snippetBlock(
  around: ProjectAround,
  snippet: Extract<PlanningNoteFacts['on'], { snippet: unknown }>['snippet'],
) {
  const { id, title, description, file_name, author_id, project_id, visibility } = snippet
  return {
    id,
    title,
    description,
    file_name,
    author_id,
    project_id,
    created_at: hookTime(snippet.created_at),
    updated_at: hookTime(snippet.updated_at),
    type: 'ProjectSnippet',
    visibility_level: VISIBILITY_LEVELS[visibility],
    url: `${projectUrl(around)}/-/snippets/${id}`,
  }
}

function attributesOfNote(around: ProjectAround, { note, on, action }: PlanningNoteFacts) {
  return { ...noteBlock(around, note, on), action }
}

/** A comment on an issue, a merge request or a snippet. */
export function noteBlock(
  around: ProjectAround,
  note: PlanningNoteFacts['note'],
  on: PlanningNoteFacts['on'],
) {
  const { body, internal, position, original_position, line_code, resolved_by_id } = note
  const subject = noteableOf(on)
  return {
    attachment: null,
    author_id: note.author_id,
    change_position: null,
    commit_id: null,
    created_at: hookTime(note.created_at),
    discussion_id: note.discussion_id,
    id: note.id,
    line_code,
    note: body,
    noteable_id: subject.id,
    noteable_type: subject.type,
    original_position,
    position,
    project_id: note.project_id,
    resolved_at: hookTimeOrNull(note.resolved_at),
    resolved_by_id,
    resolved_by_push: null,
    st_diff: null,
    system: false,
    type: note.type,
    updated_at: hookTime(note.updated_at),
    updated_by_id: null,
    description: body,
    internal,
    url: `${projectUrl(around)}/-/${subject.path}#note_${note.id}`,
  }
}

/** A comment on a commit starts no discussion, cannot be resolved and never changes. */
function attributesOfComment(
  around: ProjectAround,
  { id, note, sha, author_id, ...comment }: Extract<NoteFacts, { comment: unknown }>['comment'],
) {
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
