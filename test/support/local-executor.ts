import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import {
  type ContainerWorkspace,
  type Executor,
  ExecutorError,
  type ExecutorJob,
  type JobEnvironment,
} from '../../src/runner/executor/executor.js'
import { readCreatedFiles } from '../../src/runner/workspace/created-files.js'
import { MARKS_DIRECTORY } from '../../src/runner/workspace/layout.js'
import type {
  JobPaths,
  SourceRequest,
  Workspace,
  WorkspaceProvider,
  WorkspaceRequest,
} from '../../src/runner/workspace/workspace.js'

/** Runs scripts with `sh` on this machine, in a workspace whose paths are the same inside and outside. */
export class LocalExecutor implements Executor {
  readonly jobs: ExecutorJob[] = []
  cleanedUp = 0
  /** Called in place of a successful preparation. */
  failPreparation: (() => Promise<never>) | undefined

  async removeLeftovers(): Promise<void> {}

  /** Why the engine does not respond. */
  problem: string | undefined
  private connections: (() => void)[] = []

  async ping(): Promise<void> {
    if (this.problem !== undefined) throw new Error(this.problem)
  }

  async disconnected(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.problem !== undefined) return
    await new Promise<void>((resolve) => {
      this.connections.push(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  /** The engine goes away. It returns when `problem` is undefined. */
  disconnect(problem: string): void {
    this.problem = problem
    this.connections.splice(0).forEach((end) => end())
  }

  async prepare(job: ExecutorJob): Promise<JobEnvironment> {
    this.jobs.push(job)
    await this.failPreparation?.()
    let workspace: (() => ContainerWorkspace) | undefined
    return {
      owner: undefined,
      record: {},
      open: (opened) => void (workspace = opened),
      run: async (_stage, log, signal, beforeStart) => {
        if (!workspace) throw new Error('The environment was not opened')
        await beforeStart?.()
        const { scriptPath, environment } = workspace()
        return await runScript(scriptPath, environment, log.output, signal)
      },
      resume: async () => {
        throw new Error('Processes of this machine end with their runner')
      },
      cleanUp: async () => {
        this.cleanedUp++
      },
    }
  }

  async adopt(..._: Parameters<Executor['adopt']>): Promise<JobEnvironment> {
    throw new ExecutorError('Processes of this machine end with their runner', 'runner_system_failure')
  }
}

async function runScript(
  path: string,
  environment: Record<string, string>,
  output: NodeJS.WritableStream,
  signal: AbortSignal,
): Promise<{ exitCode: number }> {
  signal.throwIfAborted()
  // A separate process group, so that the processes of the script end with it.
  const child = spawn('sh', ['-c', 'exec sh "$0" 2>&1', path], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const kill = () => process.kill(-(child.pid ?? 0), 'SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  child.stdout.pipe(output, { end: false })
  const [code] = (await once(child, 'close')) as [number | null]
  signal.removeEventListener('abort', kill)
  signal.throwIfAborted()
  return { exitCode: code ?? 137 }
}

/** Workspaces in plain directories, without git and without archives: those parts have tests of their own. */
export class LocalWorkspaces implements WorkspaceProvider {
  readonly requests: WorkspaceRequest[] = []
  readonly sources: SourceRequest[] = []
  cleared = 0
  readonly unpacked: string[] = []
  /** The files that match the artifact patterns of the job. */
  files: string[] = []
  failSources: (() => Promise<never>) | undefined

  constructor(private readonly root: string) {}

  locate(request: WorkspaceRequest): JobPaths {
    const projectDir =
      request.projectDir ?? join(this.root, String(request.concurrentProjectId), request.projectPath)
    return { buildsDir: this.root, projectDir, temporaryDir: `${projectDir}.tmp` }
  }

  async reopen(request: WorkspaceRequest): Promise<Workspace> {
    return await this.open(request)
  }

  async open(request: WorkspaceRequest): Promise<Workspace> {
    this.requests.push(request)
    const { projectDir, temporaryDir } = this.locate(request)
    await mkdir(projectDir, { recursive: true })
    await mkdir(temporaryDir, { recursive: true })
    const marks = join(temporaryDir, MARKS_DIRECTORY)
    await mkdir(marks, { recursive: true })
    return {
      buildsDir: this.root,
      projectDir,
      temporaryDir,
      mounts: [],
      environment: {},
      prepareSources: async (source) => {
        this.sources.push(source)
        await this.failSources?.()
      },
      writeTemporaryFile: async (name, content) => {
        await writeFile(join(temporaryDir, name), content)
        return join(temporaryDir, name)
      },
      readMarks: (signal) => readCreatedFiles(marks, signal),
      selectFiles: async ({ paths }) => ({
        names: this.files,
        matches: paths.map((pattern) => ({ pattern, count: this.files.length })),
        refused: [],
        skipped: [],
      }),
      zip: (files) => Readable.from([Buffer.from(`zip of ${files.names.join(' ')}`)], { objectMode: false }),
      gzip: (files) =>
        Readable.from([Buffer.from(`gzip of ${files.names.join(' ')}`)], { objectMode: false }),
      openFile: async (name) => {
        const content = Buffer.from(`content of ${name}`)
        return { size: content.length, content: Readable.from([content]), close: async () => {} }
      },
      readSmallFile: async (name) => ({ kind: 'content', content: Buffer.from(`content of ${name}`) }),
      extractZip: async (file) => {
        this.unpacked.push(file)
        return { entries: 1, refused: [] }
      },
      clear: async () => {
        this.cleared++
      },
      close: async () => {},
      maintain: async () => {},
    }
  }
}
