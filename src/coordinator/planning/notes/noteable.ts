import { ACCESS_LEVELS } from '../../access/access-levels.js'
import { may } from '../../access/access.js'
import type { Group, Project, User } from '../../access/caller.js'
import type { CommitOwner, NoteFilter, PlannedOwner } from '../../hosting/note-store.js'
import type { SnippetRow } from '../../hosting/snippets/store.js'
import { type CallerInProject, managesIssues } from '../access/issue-access.js'
import type { EpicRow } from '../stores/epic-store.js'
import type { IssueRow } from '../stores/issue-store.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'

/** What a caller may do with the notes of one object. */
interface NoteRights {
  /** Comment, and edit and delete their own comments. */
  comment: boolean
  /** See and write internal notes. */
  internal: boolean
  /** Edit and delete the comments of others. */
  moderate: boolean
  /** Resolve threads. */
  resolve: boolean
  /** Set the time of creation. */
  backdate: boolean
}

/** An object with notes, the caller, and the caller's rights. */
export type Noteable = { rights: NoteRights; viewer: User | undefined } & (
  | { type: 'Issue'; project: Project; row: IssueRow; owner: PlannedOwner }
  | { type: 'MergeRequest'; project: Project; row: MergeRequestRow; owner: PlannedOwner }
  | { type: 'Epic'; group: Group; row: EpicRow; owner: PlannedOwner }
  | { type: 'Snippet'; project: Project; row: SnippetRow; owner: PlannedOwner }
  | { type: 'Commit'; project: Project; owner: CommitOwner }
)

/** The notes of an object that the caller sees. */
export function noteFilterOf({ rights, viewer }: Noteable): NoteFilter {
  return { internal: rights.internal, viewer }
}

/** An issue that the caller may see. */
export function issueNotes(caller: CallerInProject, row: IssueRow): Noteable {
  const rights = {
    comment: mayComment(caller, row),
    internal: managesIssues(caller),
    moderate: may('admin_project', caller),
    resolve: false,
    backdate: may('delete_issues', caller),
  }
  const { project, user: viewer } = caller
  return { type: 'Issue', project, viewer, row, rights, owner: { column: 'issue_id', id: row.id } }
}

/** A merge request that the caller may see. */
export function mergeRequestNotes(caller: CallerInProject, row: MergeRequestRow): Noteable {
  const rights = {
    comment: mayComment(caller, row),
    internal: may('plan_merge_requests', caller),
    moderate: may('admin_project', caller),
    resolve: may('manage_merge_requests', caller) || row.author_id === caller.user?.id,
    backdate: may('delete_merge_requests', caller),
  }
  const owner = { column: 'merge_request_id', id: row.id } as const
  return { type: 'MergeRequest', project: caller.project, viewer: caller.user, row, rights, owner }
}

/** A commit of a project whose code the caller may read. */
export function commitNotes(caller: CallerInProject, sha: string): Noteable {
  const { project, user: viewer } = caller
  const rights = {
    comment: caller.user !== undefined && may('comment_on_commits', caller),
    internal: false,
    moderate: may('admin_project', caller),
    resolve: false,
    backdate: may('delete_issues', caller),
  }
  return {
    type: 'Commit',
    project,
    viewer,
    rights,
    owner: { column: 'commit_sha', id: sha, projectId: project.id },
  }
}

/** A snippet that the caller may see. */
export function snippetNotes(caller: CallerInProject, row: SnippetRow): Noteable {
  const rights = {
    comment: caller.user !== undefined,
    internal: false,
    moderate: may('admin_project', caller),
    resolve: false,
    backdate: may('delete_issues', caller),
  }
  const { project, user: viewer } = caller
  return { type: 'Snippet', project, viewer, row, rights, owner: { column: 'snippet_id', id: row.id } }
}

/** The relation of a caller to the group of epics. */
export interface CallerInGroup {
  group: Group
  user: User | undefined
  /** Effective level. */
  accessLevel: number
}

/** An epic that the caller may see. */
export function epicNotes({ group, user, accessLevel }: CallerInGroup, row: EpicRow): Noteable {
  const rights = {
    comment: user !== undefined,
    internal: accessLevel >= ACCESS_LEVELS.reporter,
    moderate: accessLevel >= ACCESS_LEVELS.maintainer,
    resolve: false,
    backdate: false,
  }
  return { type: 'Epic', group, viewer: user, row, rights, owner: { column: 'epic_id', id: row.id } }
}

/** In a locked discussion only members comment. */
function mayComment(
  { user, membership }: CallerInProject,
  { discussion_locked }: Pick<IssueRow, 'discussion_locked'>,
): boolean {
  return user !== undefined && (!discussion_locked || membership >= ACCESS_LEVELS.guest || user.is_admin)
}
