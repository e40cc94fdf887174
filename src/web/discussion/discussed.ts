import { groupApi, projectApi } from '../../addresses/first-reads.js'
import { MAINTAINER } from '../../coordinator/access/access-levels.js'
import type { LiveEventName } from '../../coordinator/live/messages.js'
import { boot } from '../api/boot.js'
import { useGroupAbilities, useProjectAbilities } from '../frame/use-abilities.js'
import type { DiscussedKind } from './discussed-kind.js'

/** A record whose discussions are shown. */
export type Discussed = (OfProject | OfGroup) & DiscussedRecord

interface OfProject {
  /** Full path of its project. */
  project: string
  kind: Exclude<DiscussedKind, 'epics'>
}

interface OfGroup {
  project?: undefined
  /** Full path of its group. */
  group: string
  kind: 'epics'
}

interface DiscussedRecord {
  /** Number within the project; of a snippet and of an epic, its ID. */
  iid: number
  /** ID, for its live topic. */
  id: number
  /** ID of its author; null for a deleted account. */
  authorId: number | null
  /** Only members of the project may comment. */
  isLocked: boolean
}

/** The path of a record in the API, without the prefix of the API. */
export function discussedPath(of: Discussed): string {
  return `${of.kind === 'epics' ? groupApi(of.group) : projectApi(of.project)}/${of.kind}/${of.iid}`
}

/** The kind of the live topic of a record, and the name of its event. */
export const LIVE_KINDS = {
  issues: 'issue',
  merge_requests: 'merge-request',
  snippets: 'snippet',
  epics: 'epic',
} as const satisfies Record<DiscussedKind, LiveEventName>
export type LiveKind = (typeof LIVE_KINDS)[DiscussedKind]

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
  epics: { read: 'read_epics', internal: 'manage_epics' },
} as const

/** What the user of the page may do in the discussions of a record. */
export function useDiscussionRights(of: Discussed): DiscussionRights {
  const { kind, authorId } = of
  const inProject = useProjectAbilities(of.project)
  const inGroup = useGroupAbilities(of.kind === 'epics' ? of.group : undefined)
  const { may } = kind === 'epics' ? inGroup : inProject
  const { read, internal } = PERMISSIONS[kind]
  const isAuthor = boot.user !== null && boot.user.id === authorId
  return {
    mayComment: boot.user !== null,
    reason: inProject.reasonAgainst(read),
    mayWriteInternal: internal !== undefined && may(internal),
    mayModerate: kind === 'epics' ? inGroup.level >= MAINTAINER : may('admin_project'),
    mayResolve: kind === 'merge_requests' && (isAuthor || may('manage_merge_requests')),
  }
}
