import { ACCESS_LEVELS } from '../access/access-levels.js'
import { type ProjectAccess, refusalInGroup, refusalInProject, refusalOfCaller } from '../access/access.js'
import type { Caller, Project, User } from '../access/caller.js'
import type { GroupPermission, ProjectPermission } from '../access/permissions.js'
import type { Database } from '../database/connect.js'
import { visibleSnippets } from '../hosting/snippets/store.js'
import { accessIn, type GroupDirectory, levelInGroup } from '../http/handle-operation.js'
import { viewerOf } from '../http/viewer.js'
import { visibleIssues } from '../planning/access/visible-issues.js'
import { findEpicInAnyGroup } from '../planning/stores/epic-store.js'
import { findIssueById } from '../planning/stores/issue-store.js'
import { findMergeRequestById } from '../planning/stores/merge-request-store.js'
import type { RefusedTopic } from './messages.js'
import { findProjectIdOfPipeline, findTraceState } from './store.js'
import { nameOf, type PlannedTopic, type RunnersTopic, type Topic } from './topics.js'

export interface TopicAccessDeps {
  database: Database
  findProject: (idOrPath: string) => Promise<Project | undefined>
  projectAccessOf: (user: User, project: Project) => Promise<ProjectAccess>
  groups: GroupDirectory
}

/** What a caller may read of a topic. */
export type TopicAccess = { refused: RefusedTopic['status'] } | { refused: undefined; log?: LogAccess }

interface LogAccess {
  projectId: number
  /** Whether the caller may read logs that show every variable. */
  readsDebugLogs: boolean
}

export interface GrantedTopic {
  topic: Topic
  access: Extract<TopicAccess, { refused: undefined }>
}

/** Divides topics into those that the caller may read and those that are refused. */
export async function divideTopics(
  deps: TopicAccessDeps,
  topics: Topic[],
  caller: Caller,
): Promise<{ granted: GrantedTopic[]; refused: RefusedTopic[] }> {
  const granted: GrantedTopic[] = []
  const refused: RefusedTopic[] = []
  for (const given of topics) {
    const topic = given.kind === 'me' ? { ...given, id: viewerOf(caller)?.id ?? 0 } : given
    const access = await accessToTopic(deps, topic, caller)
    if (access.refused === undefined) granted.push({ topic, access })
    else refused.push({ topic: nameOf(topic), status: access.refused })
  }
  return { granted, refused }
}

/** Decides like the operations that read the subject of the topic. */
export async function accessToTopic(
  deps: TopicAccessDeps,
  topic: Topic,
  caller: Caller,
): Promise<TopicAccess> {
  switch (topic.kind) {
    case 'project':
      return accessInProject(deps, topic.id, 'read_pipelines', caller)
    case 'pipeline': {
      const projectId = await findProjectIdOfPipeline(deps.database, topic.id)
      return accessInProject(deps, projectId, 'read_pipelines', caller)
    }
    case 'job': {
      const job = await findTraceState(deps.database, topic.id)
      return accessInProject(deps, job?.project_id, 'read_pipelines', caller)
    }
    case 'trace':
      return accessToLog(deps, topic.id, caller)
    case 'issue': {
      const row = await findIssueById(deps.database, topic.id)
      const access = await accessInProject(deps, row?.project_id, 'read_issues', caller)
      if (access.refused !== undefined) return access
      const [seen] = await visibleIssues(deps.database, viewerOf(caller), [topic.id])
      return { refused: seen ? undefined : 404 }
    }
    case 'merge-request': {
      const row = await findMergeRequestById(deps.database, topic.id)
      const access = await accessInProject(deps, row?.project_id, 'read_merge_requests', caller)
      return { refused: access.refused }
    }
    case 'epic': {
      const row = await findEpicInAnyGroup(deps.database, topic.id)
      return accessInGroup(deps, row?.group_id, 'read_epics', caller)
    }
    case 'snippet': {
      const [seen] = await visibleSnippets(deps.database, viewerOf(caller), [topic.id])
      if (!seen) return { refused: 404 }
      // Those of users have no project that could refuse the credential.
      if (seen.project_id === null) return { refused: undefined }
      const access = await accessInProject(deps, seen.project_id, 'read_snippets', caller)
      return { refused: access.refused }
    }
    case 'wiki': {
      if (topic.of === 'group') return accessInGroup(deps, topic.id, 'read_group_wiki', caller)
      const access = await accessInProject(deps, topic.id, 'read_wiki', caller)
      return { refused: access.refused }
    }
    case 'issues':
      return accessToPlanned(deps, topic, 'read_issues', caller)
    case 'merge-requests':
      return accessToPlanned(deps, topic, 'read_merge_requests', caller)
    case 'me': {
      const user = viewerOf(caller)
      if (!user) return { refused: 401 }
      return { refused: user.id === topic.id ? undefined : 403 }
    }
    case 'runners':
      return accessToRunners(deps, topic, caller)
  }
}

async function accessToLog(deps: TopicAccessDeps, jobId: number, caller: Caller): Promise<TopicAccess> {
  const job = await findTraceState(deps.database, jobId)
  const access = await accessInProject(deps, job?.project_id, 'read_pipelines', caller)
  if (access.refused !== undefined) return access
  if (job?.kind !== 'build') return { refused: 404 }
  const readsDebugLogs = access.level >= ACCESS_LEVELS.developer
  if (job.debug_trace && !readsDebugLogs) return { refused: 403 }
  return { refused: undefined, log: { projectId: job.project_id, readsDebugLogs } }
}

async function accessToRunners(
  deps: TopicAccessDeps,
  { of, id }: RunnersTopic,
  caller: Caller,
): Promise<TopicAccess> {
  switch (of) {
    case 'instance':
      return { refused: refusalOfCaller('administrator', caller)?.status }
    case 'project':
      return accessInProject(deps, id, 'admin_runners', caller)
    case 'group':
      return accessInGroup(deps, id, 'admin_group_runners', caller)
  }
}

/** In a group, each change is compared with what the caller may see. */
async function accessToPlanned(
  deps: TopicAccessDeps,
  { of, id }: PlannedTopic,
  permission: 'read_issues' | 'read_merge_requests',
  caller: Caller,
): Promise<TopicAccess> {
  if (of === 'group') return accessInGroup(deps, id, 'read_group', caller)
  const { refused } = await accessInProject(deps, id, permission, caller)
  return { refused }
}

async function accessInGroup(
  { groups }: TopicAccessDeps,
  id: number | undefined,
  permission: GroupPermission,
  caller: Caller,
): Promise<TopicAccess> {
  const group = id === undefined ? undefined : await groups.find(String(id))
  const accessLevel = group ? await levelInGroup(groups, viewerOf(caller), group) : 0
  const denied = refusalInGroup(permission, group, { caller, operation: READING, accessLevel })
  return { refused: denied?.status }
}

const READING = { method: 'GET' }

async function accessInProject(
  deps: TopicAccessDeps,
  projectId: number | undefined,
  permission: ProjectPermission,
  caller: Caller,
): Promise<{ refused: RefusedTopic['status'] } | { refused: undefined; level: number }> {
  const project = projectId === undefined ? undefined : await deps.findProject(String(projectId))
  const access = project ? await accessIn(deps, viewerOf(caller), project) : NO_ACCESS
  const denied = refusalInProject(permission, project, { caller, operation: READING, ...access })
  return denied ? { refused: denied.status } : { refused: undefined, level: access.accessLevel }
}

const NO_ACCESS = { accessLevel: 0, membership: 0 }
