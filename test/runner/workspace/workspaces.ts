import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import Docker from 'dockerode'

import type { GitInfo } from '../../../src/protocol/job-payload.js'
import { DEFAULT_SOURCE_SETTINGS, type SourceSettings } from '../../../src/runner/workspace/git-flags.js'
import type { ContainerFiles, Mount } from '../../../src/runner/workspace/job-files.js'
import { workspaceLayout } from '../../../src/runner/workspace/layout.js'
import { createWorkspaceProvider } from '../../../src/runner/workspace/workspace-provider.js'
import type { SourceRequest, Workspace, WorkspaceRequest } from '../../../src/runner/workspace/workspace.js'
import { busyboxImage } from '../../support/docker-image.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { NEVER, openBench, RecordedLog } from '../executor/docker-jobs.js'
import type { GitServer } from './git-server.js'

export interface OpenWorkspace {
  workspace: Workspace
  root: string
  /** For a container that a test runs in the workspace. */
  mounts: Mount[]
  /** Host directories behind what the job sees. */
  work: string
  temporary: string
  objects: string
  /** Host directories that the job does not see, or not as they are. */
  gitDir: string
  modules: string
}

type Kind = 'bind' | 'volume'

let kind: Kind = 'bind'

/** Workspaces are of this kind for the rest of the file (`volumes.nightly.test.ts`). */
export function useWorkspaces(wanted: Kind): void {
  kind = wanted
}

/** For tests of what only directories of the host that are mounted can do. */
export function areMounted(): boolean {
  return kind === 'bind'
}

export async function openWorkspace(
  root?: string,
  changes: Partial<WorkspaceRequest> = {},
): Promise<OpenWorkspace> {
  const home = root ?? join(await tempDir(), 'builds')
  const request = {
    projectId: 3,
    projectPath: 'group/project',
    concurrentProjectId: 0,
    isProtected: false,
    ...changes,
  }
  return kind === 'bind' ? await openMounted(home, request) : await openInVolume(home, request)
}

async function openMounted(root: string, request: WorkspaceRequest): Promise<OpenWorkspace> {
  const workspace = await createWorkspaceProvider({ root }).open(request)
  const [work = '', temporary = '', objects = ''] = workspace.mounts.map(({ hostPath }) => hostPath)
  const { gitDir, modulesDir: modules } = workspaceLayout(root, request)
  const { mounts } = workspace
  return { workspace, root, mounts, work, temporary, objects, gitDir, modules }
}

/** The volume is one of the machine's own engine, whose directory takes the place of a job that works in it. */
async function openInVolume(root: string, request: WorkspaceRequest): Promise<OpenWorkspace> {
  const { files, open } = await createContainer()
  const workspace = await createWorkspaceProvider({ root }).open({ ...request, files })
  const volume = await open(workspace)
  const { gitDir, modulesDir: modules } = workspaceLayout(root, { ...request, files })
  const inVolume = (suffix: string) => join(volume, `project${suffix}`)
  const [work, temporary, objects] = [inVolume(''), inVolume('.tmp'), inVolume('.git-objects')]
  for (const directory of [work, temporary]) await mkdir(directory)
  const mounts = [{ hostPath: volume, containerPath: '/builds/group', readOnly: false }]
  return { workspace, root, mounts, work, temporary, objects, gitDir, modules }
}

async function createContainer(): Promise<{
  files: ContainerFiles
  open: (workspace: Workspace) => Promise<string>
}> {
  const bench = await openBench({ image: await busyboxImage(), networkMode: 'none', workspace: 'volume' })
  const environment = await bench.executor.prepare(bench.job(), new RecordedLog(), NEVER)
  onFinished(() => environment.cleanUp())
  const { files } = environment
  if (!files) throw new Error('The environment has no files')
  const open = async ({ mounts, projectDir }: Workspace) => {
    environment.open(() => ({ ...bench.place, mounts, workingDirectory: projectDir }))
    await files.get('/', 'none') // makes the container
    const { Mounts: made } = await new Docker()
      .getContainer(String(environment.record['containerId']))
      .inspect()
    // The other mount is the folder that takes the output of scripts.
    return made.find(({ Type }) => Type === 'volume')?.Source ?? ''
  }
  return { files, open }
}

/** Prepares the sources of a commit on main; returns what the log says. */
export async function prepare(
  workspace: Workspace,
  server: GitServer,
  sha: string,
  more: Partial<GitInfo> & {
    strategy?: SourceRequest['strategy']
    settings?: Partial<SourceSettings>
    signal?: AbortSignal
  } = {},
): Promise<string> {
  const { strategy = 'fetch', settings, signal = NEVER, ...git } = more
  const log = new RecordedLog()
  await workspace.prepareSources(
    {
      strategy,
      userAgent: 'switchyard test',
      settings: { ...DEFAULT_SOURCE_SETTINGS, ...settings },
      git: {
        repo_url: server.repoUrl,
        ref: 'main',
        sha,
        refspecs: ['+refs/heads/main:refs/remotes/origin/main'],
        depth: 20,
        ...git,
      },
    },
    log,
    signal,
  )
  return log.text
}
