import { join } from 'node:path'

import type { FileOwner, Mount, WorkspaceRequest } from './workspace.js'

export const DEFAULT_BUILDS_DIR = '/builds'

/** Where the files of one workspace are, on the host and as a job sees them. */
export interface WorkspaceLayout {
  /** Everything below is in here. */
  home: string
  /** Git's own directory, which no container can write to. */
  gitDir: string
  /** One such directory for each submodule. A job sees them all, and cannot write to them. */
  modulesDir: string
  /** Of a job's files only these two are seen by the job, and everything in them may be its doing. */
  workTree: string
  temporary: string
  buildsDir: string
  projectDir: string
  temporaryDir: string
  /** Where a job sees the objects of `gitDir`, read-only. */
  objectsDir: string
  /** Where a job sees `modulesDir`, read-only. */
  moduleObjectsDir: string
  /** Whom the files of the job are given to; undefined = they stay the runner's own. */
  owner: FileOwner | undefined
  /** Whether the user that the job runs as is the one that its files belong to. */
  isOwnerKnown: boolean
}

/**
 * One workspace for each number of a running job, project, trust, user and kind (runner protocol, 7.4; architecture,
 * decision 11). Only a runner that is root can give files away.
 */
export function workspaceLayout(
  root: string,
  request: WorkspaceRequest,
  ownUser = process.getuid?.(),
): WorkspaceLayout {
  const isRoot = ownUser === 0
  // Files that are sent have the owner that the transfer gives them: here they are the runner's own.
  const wanted = request.files ? undefined : request.owner
  const owner = isRoot ? (wanted ?? { uid: 0, gid: 0 }) : undefined
  const home = join(root, String(request.concurrentProjectId), directoryName(request, owner))
  const buildsDir = request.buildsDir ?? DEFAULT_BUILDS_DIR
  const projectDir = request.projectDir ?? defaultProjectDir(request)
  return {
    home,
    gitDir: join(home, 'git'),
    modulesDir: join(home, 'modules'),
    workTree: join(home, 'work'),
    temporary: join(home, 'tmp'),
    buildsDir,
    projectDir,
    temporaryDir: `${projectDir}.tmp`,
    objectsDir: `${projectDir}.git-objects`,
    moduleObjectsDir: `${projectDir}.git-modules`,
    owner,
    isOwnerKnown: isRoot ? request.owner !== undefined : request.owner?.uid === ownUser,
  }
}

/** Below `buildsDir`; the path of a project that is none, or that would climb, is replaced (runner protocol, 7.4). */
export function defaultProjectDir(
  request: Pick<WorkspaceRequest, 'buildsDir' | 'projectPath' | 'projectId' | 'isEmpty'>,
): string {
  const name = containerPath(request) + (request.isEmpty ? '-empty' : '')
  return `${(request.buildsDir ?? DEFAULT_BUILDS_DIR).replace(/\/+$/, '')}/${name}`
}

function directoryName(request: WorkspaceRequest, owner: FileOwner | undefined): string {
  const trust = request.isProtected ? '-protected' : ''
  const user = owner && (owner.uid !== 0 || owner.gid !== 0) ? `-${owner.uid}-${owner.gid}` : ''
  return `${request.projectId}${trust}${user}${request.isEmpty ? '-empty' : ''}${request.files ? '-volume' : ''}`
}

export function workspaceMounts(layout: WorkspaceLayout): Mount[] {
  return [
    { hostPath: layout.workTree, containerPath: layout.projectDir, readOnly: false },
    { hostPath: layout.temporary, containerPath: layout.temporaryDir, readOnly: false },
    { hostPath: join(layout.gitDir, 'objects'), containerPath: layout.objectsDir, readOnly: true },
    { hostPath: layout.modulesDir, containerPath: layout.moduleObjectsDir, readOnly: true },
  ]
}

function containerPath({
  projectId,
  projectPath,
}: Pick<WorkspaceRequest, 'projectId' | 'projectPath'>): string {
  const components = projectPath.split('/')
  const isPlain = components.every((component) => /^[\w.-]+$/.test(component) && !/^\.+$/.test(component))
  return isPlain ? projectPath : `project-${projectId}`
}
