import { LEVELS } from '../access/access-levels.js'
import { type ProjectAccess, refusalInProject } from '../access/access.js'
import type { Caller, Project, User } from '../access/caller.js'
import type { Database } from '../database/connect.js'
import { accessIn } from '../http/handle-operation.js'
import { viewerOf } from '../http/viewer.js'
import type { RefusedTopic } from './messages.js'
import { findProjectIdOfPipeline, findTraceState } from './store.js'
import { nameOf, type Topic } from './topics.js'

export interface TopicAccessDeps {
  database: Database
  findProject: (idOrPath: string) => Promise<Project | undefined>
  projectAccessOf: (user: User, project: Project) => Promise<ProjectAccess>
}

/** What a caller may read of a topic. */
export type TopicAccess =
  | { refused: RefusedTopic['status'] }
  | { refused: undefined; projectId: number; readsDebugLogs: boolean }

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
  for (const topic of topics) {
    const access = await accessToTopic(deps, topic, caller)
    if (access.refused === undefined) granted.push({ topic, access })
    else refused.push({ topic: nameOf(topic), status: access.refused })
  }
  return { granted, refused }
}

const READING = { method: 'GET' }

/** Decides like the operations that read the subject of the topic. */
export async function accessToTopic(
  deps: TopicAccessDeps,
  topic: Topic,
  caller: Caller,
): Promise<TopicAccess> {
  const job =
    topic.kind === 'job' || topic.kind === 'trace' ? await findTraceState(deps.database, topic.id) : undefined
  const projectId = topic.kind === 'project' ? topic.id : await projectIdOf()
  const project = projectId === undefined ? undefined : await deps.findProject(String(projectId))
  const access = project ? await accessIn(deps, viewerOf(caller), project) : NO_ACCESS
  const denied = refusalInProject('read_pipelines', project, { caller, operation: READING, ...access })
  if (denied) return { refused: denied.status }
  if (!project || (topic.kind === 'trace' && job?.kind !== 'build')) return { refused: 404 }
  const readsDebugLogs = access.accessLevel >= LEVELS.developer
  if (topic.kind === 'trace' && job?.debug_trace && !readsDebugLogs) return { refused: 403 }
  return { refused: undefined, projectId: project.id, readsDebugLogs }

  async function projectIdOf(): Promise<number | undefined> {
    return topic.kind === 'pipeline' ? findProjectIdOfPipeline(deps.database, topic.id) : job?.project_id
  }
}

const NO_ACCESS = { accessLevel: 0, membership: 0 }
