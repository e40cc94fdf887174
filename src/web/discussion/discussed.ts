import { projectApi } from '../../addresses/first-reads.js'
import { boot } from '../api/boot.js'
import { useProjectAbilities } from '../frame/use-abilities.js'
import type { DiscussedKind } from './discussed-kind.js'

/** An issue, merge request or snippet, whose discussions are shown. */
export interface Discussed {
  /** Full path of its project. */
  project: string
  kind: DiscussedKind
  /** Number within the project; of a snippet, its ID. */
  iid: number
  /** ID, for its live topic. */
  id: number
  /** ID of its author; null for a deleted account. */
  authorId: number | null
  /** Only members of the project may comment. */
  isLocked: boolean
}

/** The path of an issue, merge request or snippet in the API, without the prefix of the API. */
export function discussedPath({ project, kind, iid }: Pick<Discussed, 'project' | 'kind' | 'iid'>): string {
  return `${projectApi(project)}/${kind}/${iid}`
}

/** The live topics of an issue or merge request; snippets have none. */
export function topicsOf({ kind, id }: Pick<Discussed, 'kind' | 'id'>): string[] {
  if (kind === 'snippets') return []
  return [`${kind === 'issues' ? 'issue' : 'merge-request'}/${id}`]
}

export interface DiscussionRights {
  /** The user is signed in, and may write comments unless there is a reason against it. */
  mayComment: boolean
  /** Why no comment can be written now. */
  reason: string | undefined
  /** Write comments that only members from the reporter role on see. */
  mayWriteInternal: boolean
  /** Change and delete the comments of others. */
  mayModerate: boolean
  /** Resolve threads. */
  mayResolve: boolean
}

const PERMISSIONS = {
  issues: { read: 'read_issues', internal: 'manage_issues' },
  merge_requests: { read: 'read_merge_requests', internal: 'plan_merge_requests' },
  snippets: { read: 'read_snippets', internal: undefined },
} as const

/** What the user of the page may do in the discussions of a record. */
export function useDiscussionRights({ project, kind, authorId }: Discussed): DiscussionRights {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const { read, internal } = PERMISSIONS[kind]
  const isAuthor = boot.user !== null && boot.user.id === authorId
  return {
    mayComment: boot.user !== null,
    reason: reasonAgainst(read),
    mayWriteInternal: internal !== undefined && may(internal),
    mayModerate: may('admin_project'),
    mayResolve: kind === 'merge_requests' && (isAuthor || may('manage_merge_requests')),
  }
}
