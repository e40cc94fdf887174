import { join } from 'node:path'

import type { Mount } from './job-files.js'
import type { FileOwner, WorkspaceRequest } from './workspace.js'

/** Name of the directory, in the temporary directory of the job, in which scripts leave their marks. */
export const MARKS_DIRECTORY = 'script-lines'

export const DEFAULT_BUILDS_DIR = '/builds'

/** The paths of one workspace, on the host and as a job sees them. */
export interface WorkspaceLayout {
  /** The directory that contains those of git. */
  home: string
  /** A directory for files that are removed later, on the file system of `workTree` and `temporary`. */
  aside: string
  /** Git's own directory, which no container can write to. */
  gitDir: string
  /** Contains one such directory for each submodule. A job can read all of them, and write none. */
  modulesDir: string
  /** The job can write only these two directories. Everything in them may come from the job. */
  workTree: string
  temporary: string
  /** Empty files that show which lines of its scripts have begun. Part of `temporary`. */
  marks: string
  /**
   * The output of the job's scripts until the runner has read it. Only the user of the job has access. Undefined if it is
   * not part of the workspace.
   */
  output: string | undefined
  buildsDir: string
  projectDir: string
  temporaryDir: string
  outputDir: string
  /** Path of the objects of `gitDir` in the job, read-only. */
  objectsDir: string
  /** Path of `modulesDir` in the job, read-only. */
  moduleObjectsDir: string
  /** The owner of the files of the job. Undefined means that they stay the runner's own. */
  owner: FileOwner | undefined
  /** Whether the job runs as the user that owns its files. */
  isOwnerKnown: boolean
}

/**
 * The paths of a workspace. There is one workspace for each concurrency number, project, trust, user and kind
 * (runner protocol, 7.4; architecture, decision 11). Only a runner that is root can change the owner of files.
 */
export function workspaceLayout(
  root: string,
  request: WorkspaceRequest,
  ownUser = process.getuid?.(),
): WorkspaceLayout {
  const isRoot = ownUser === 0
  // Files in a volume get their owner from the transfer. On the host, they belong to the runner.
  const wanted = request.files ? undefined : request.owner
  const owner = isRoot ? (wanted ?? { uid: 0, gid: 0 }) : undefined
  const home = join(root, String(request.concurrentProjectId), directoryName(request, owner))
  const buildsDir = request.buildsDir ?? DEFAULT_BUILDS_DIR
  const projectDir = request.projectDir ?? defaultProjectDir(request)
  return {
    home,
    aside: home,
    gitDir: join(home, 'git'),
    modulesDir: join(home, 'modules'),
    workTree: join(home, 'work'),
    temporary: join(home, 'tmp'),
    marks: join(home, 'tmp', MARKS_DIRECTORY),
    output: join(home, 'output'),
    buildsDir,
    projectDir,
    temporaryDir: `${projectDir}.tmp`,
    outputDir: `${projectDir}.output`,
    objectsDir: `${projectDir}.git-objects`,
    moduleObjectsDir: `${projectDir}.git-modules`,
    owner,
    isOwnerKnown: isRoot ? request.owner !== undefined : request.owner?.uid === ownUser,
  }
}

/**
 * The default project directory, below `buildsDir`. An invalid project path, or one that leads upwards, is replaced
 * (runner protocol, 7.4).
 */
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
