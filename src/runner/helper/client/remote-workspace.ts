import type { OpenHelperOptions } from '../../executor/environment-helper.js'
import type { JobLog } from '../../trace/job-log.js'
import { gitEnvironmentOfJob } from '../../workspace/job-credentials.js'
import type { Mount } from '../../workspace/job-files.js'
import { workspaceLayout } from '../../workspace/layout.js'
import type {
  CreatedFile,
  JobWorkspace,
  SmallFile,
  SourceRequest,
  WorkspaceRequest,
} from '../../workspace/workspace.js'
import type { MakeRequest } from './make-request.js'
import { StageLog } from './stage-log.js'

/** Milliseconds for removing the temporary directory of a job. */
const CLOSING_LIMIT = 10_000

/** The workspace of a job whose files only its helper process reaches. Most of them end with the pod of the job. */
export class RemoteWorkspace implements JobWorkspace {
  readonly buildsDir: string
  readonly projectDir: string
  readonly temporaryDir: string
  readonly mounts: Mount[] = []
  readonly environment: Record<string, string>
  private closing: Promise<void> | undefined

  constructor(
    private readonly options: Pick<OpenHelperOptions, 'places' | 'areBuildsKept'>,
    private readonly workspace: WorkspaceRequest,
    private readonly request: MakeRequest,
  ) {
    const { buildsDir, projectDir, temporaryDir } = workspaceLayout(options.places.git, workspace)
    this.buildsDir = buildsDir
    this.projectDir = projectDir
    this.temporaryDir = temporaryDir
    this.environment = gitEnvironmentOfJob(workspace.repositoryUrl)
  }

  async prepareSources(source: SourceRequest, log: JobLog, signal: AbortSignal): Promise<void> {
    const stageLog = new StageLog(log)
    const { workspace } = this
    const params = { workspace, source, hasSections: log.hasSections }
    await this.request('prepareSources', params, {
      signals: { work: signal },
      receiver: { data: (bytes) => stageLog.write(bytes) },
      onRepeat: () => stageLog.beginAgain(),
    })
  }

  async clear(signal: AbortSignal): Promise<void> {
    await this.request('clear', { workspace: this.workspace }, { signals: { work: signal } })
  }

  async writeTemporaryFile(name: string, content: string, mode?: number): Promise<string> {
    const permissions = mode === undefined ? {} : { mode }
    await this.request('writeTemporaryFile', { workspace: this.workspace, name, content, ...permissions })
    return `${this.temporaryDir}/${name}`
  }

  async readMarks(signal: AbortSignal): Promise<CreatedFile[]> {
    return await this.request('readMarks', { workspace: this.workspace }, { signals: { work: signal } })
  }

  async readSmallFile(name: string, maximumBytes: number, signal: AbortSignal): Promise<SmallFile> {
    const params = { workspace: this.workspace, name, maximumBytes }
    const file = await this.request('readSmallFile', params, { signals: { work: signal } })
    if (!('base64' in file)) return { kind: file.kind }
    const content = Buffer.from(file.base64, 'base64')
    return content.length > maximumBytes ? { kind: 'too-large' } : { kind: 'content', content }
  }

  /** Also called by the helper before it ends. Both callers get the failure. */
  async close(): Promise<void> {
    this.closing ??= this.closeOnce()
    await this.closing
  }

  async maintain(): Promise<void> {}

  private async closeOnce(): Promise<void> {
    if (!this.options.areBuildsKept) return
    const work = AbortSignal.timeout(CLOSING_LIMIT)
    await this.request('closeWorkspace', { workspace: this.workspace }, { signals: { work } })
  }
}
