import type { HelperPlaces } from '../../executor/helper-places.js'
import { JobLog } from '../../trace/job-log.js'
import { QuietHomes } from '../../workspace/quiet-homes.js'
import type { Workspace, WorkspaceRequest } from '../../workspace/workspace.js'
import { areParams, type Method, type Params, type Result } from '../protocol/calls.js'
import { HelperProtocolError } from '../protocol/errors.js'
import { ControlDirectory } from './control-directory.js'
import type { ServedRequest } from './served-request.js'

type Handlers = { [M in Method]: (params: Params<M>, request: ServedRequest) => Promise<Result<M>> }

/** Serves requests in the directories of a helper process. What few requests need is loaded by them. */
export class RequestHandlers {
  private readonly control: ControlDirectory
  private readonly homes = new QuietHomes()
  /** By request as JSON. */
  private readonly workspaces = new Map<string, Promise<Workspace>>()

  constructor(private readonly places: HelperPlaces) {
    this.control = new ControlDirectory(places.control)
  }

  /** Throws `HelperProtocolError` for parameters of another format. */
  async handle<M extends Method>(method: M, params: unknown, request: ServedRequest): Promise<Result<M>> {
    if (!areParams(method, params)) throw new HelperProtocolError(`Wrong parameters of "${method}"`)
    return await this.handlers[method](params, request)
  }

  private readonly handlers: Handlers = {
    ready: async (_, { signals }) => await this.control.ready(signals.work),
    openWorkspace: async ({ workspace, isNew }) => {
      await this.openWorkspace(workspace, isNew)
      return null
    },
    prepareSources: async ({ workspace, source, hasSections }, request) => {
      const opened = await this.openedWorkspace(workspace)
      await withLog(request, hasSections, async (log) => {
        await opened.prepareSources(source, log, request.signals.work)
      })
      return null
    },
    clear: async ({ workspace }, { signals }) => {
      await (await this.openedWorkspace(workspace)).clear(signals.work)
      return null
    },
    closeWorkspace: async ({ workspace }) => {
      await (await this.openedWorkspace(workspace)).close()
      return null
    },
    writeTemporaryFile: async ({ workspace, name, content, mode }) => {
      return await (await this.openedWorkspace(workspace)).writeTemporaryFile(name, content, mode)
    },
    readMarks: async ({ workspace }, { signals }) => {
      return await (await this.openedWorkspace(workspace)).readMarks(signals.work)
    },
    readSmallFile: async ({ workspace, name, maximumBytes }, { signals }) => {
      const opened = await this.openedWorkspace(workspace)
      const file = await opened.readSmallFile(name, maximumBytes, signals.work)
      return file.kind === 'content' ? { kind: file.kind, base64: file.content.toString('base64') } : file
    },
    runFileStage: async (params, request) => {
      const workspace = await this.openedWorkspace(params.workspace)
      const { runStage } = await import('./run-stage.js')
      return await withLog(request, params.hasSections, (log) =>
        runStage(params, { workspace, log, request, directory: this.places.own }),
      )
    },
    startScript: async ({ script, variables }, { signals }) => {
      await this.control.start(script, variables, signals.work)
      return null
    },
    followScript: async ({ script, start, skip }, request) => {
      let left = skip
      const end = await this.control.follow(script, {
        start,
        write: async (bytes, cursor) => {
          const known = Math.min(left, bytes.length)
          left -= known
          await request.sendData('output', bytes.subarray(known), cursor)
        },
        delivered: () => request.delivered(),
        signal: request.signals.work,
      })
      await request.delivered()
      return end ?? null
    },
    signalScript: async ({ script, name }, { signals }) => {
      await this.control.signal(script, name, signals.work)
      return null
    },
  }

  private async openWorkspace(request: WorkspaceRequest, isNew: boolean): Promise<Workspace> {
    const key = JSON.stringify(request)
    const { openPodWorkspace } = await import('./pod-workspace.js')
    const opening = openPodWorkspace(this.places, request, this.homes, isNew)
    this.workspaces.set(key, opening)
    opening.catch(() => this.workspaces.delete(key))
    return await opening
  }

  /** A later helper process opens the workspace again with the first request. */
  private async openedWorkspace(request: WorkspaceRequest): Promise<Workspace> {
    return await (this.workspaces.get(JSON.stringify(request)) ?? this.openWorkspace(request, false))
  }
}

/** The log arrives before the result. */
async function withLog<T>(
  request: ServedRequest,
  hasSections: boolean,
  work: (log: JobLog) => Promise<T>,
): Promise<T> {
  const output = request.logOutput()
  output.on('error', () => {}) // the connection has ended, which also ends the request
  const notify = (name: 'enterStage' | 'leaveStage', stage: string) => {
    request.call(name, { stage }).catch(() => {})
  }
  const log = new JobLog(output, hasSections, (stage) => {
    notify('enterStage', stage)
    return () => notify('leaveStage', stage)
  })
  try {
    return await work(log)
  } finally {
    await new Promise<void>((resolve) => {
      output.once('close', resolve)
      output.end()
    })
  }
}
