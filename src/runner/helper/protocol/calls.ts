import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

import type { JobPayload, JobVariable } from '../../../protocol/job-payload.js'
import type { UploadTimeouts } from '../../artifacts/upload-attempt.js'
import type { CacheSettings } from '../../cache/cache-settings.js'
import { OutputRecord } from '../../executor/output-record.js'
import { OutputCursor } from '../../executor/output/output-cursor.js'
import type { JobTimings } from '../../job/job-context.js'
import { RecordedOutcome } from '../../job/journal/job-state.js'
import { MAX_MARKS, type SourceRequest, type WorkspaceRequest } from '../../workspace/workspace.js'

/** A value whose format need not be checked, because the handshake has shown that both sides are the same program. */
const same = <T>() => Type.Unsafe<T>(Type.Object({}))

const InWorkspace = Type.Object({ workspace: same<WorkspaceRequest>() })
const Script = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  path: Type.String(),
  output: OutputRecord,
})
const Owner = Type.Object({ uid: Type.Integer({ minimum: 0 }), gid: Type.Integer({ minimum: 0 }) })
const Nothing = Type.Null()

/** What a file stage needs of its job. */
export interface FileStageParams {
  workspace: WorkspaceRequest
  stage: string
  isSuccess: boolean
  payload: JobPayload
  /** Expanded, as `JobVariables.list`. */
  variables: readonly JobVariable[]
  registration: StageRegistration
  timings: JobTimings
  /** Keys of caches of this job that could not be unpacked. */
  damagedCaches: string[]
  hasSections: boolean
}

export interface StageRegistration {
  url: string
  /** The part of the token that names of caches contain. The token itself stays in the runner. */
  shortToken: string
  /** The contents of the files. */
  tls: { ca?: string; cert?: string; key?: string }
  artifact: UploadTimeouts
  cache: CacheSettings
  /** Why caches cannot be used now. Undefined if they can. */
  cacheProblem?: string | undefined
}

const File = Type.Object({ name: Type.String(), createdAt: Type.Number() })

/** The requests of a runner: parameters and result of each method. */
export const METHODS = {
  ready: { params: Type.Object({}), result: Owner },
  openWorkspace: {
    params: Type.Object({ ...InWorkspace.properties, isNew: Type.Boolean() }),
    result: Nothing,
  },
  prepareSources: {
    params: Type.Object({
      ...InWorkspace.properties,
      source: same<SourceRequest>(),
      hasSections: Type.Boolean(),
    }),
    result: Nothing,
  },
  clear: { params: InWorkspace, result: Nothing },
  closeWorkspace: { params: InWorkspace, result: Nothing },
  writeTemporaryFile: {
    params: Type.Object({
      ...InWorkspace.properties,
      name: Type.String(),
      content: Type.String(),
      mode: Type.Optional(Type.Integer()),
    }),
    result: Type.String({ maxLength: 8192 }),
  },
  readMarks: { params: InWorkspace, result: Type.Array(File, { maxItems: MAX_MARKS }) },
  readSmallFile: {
    params: Type.Object({ ...InWorkspace.properties, name: Type.String(), maximumBytes: Type.Integer() }),
    result: Type.Union([
      Type.Object({ kind: Type.Literal('content'), base64: Type.String() }),
      Type.Object({ kind: Type.Enum(['missing', 'too-large']) }),
    ]),
  },
  runFileStage: { params: same<FileStageParams>(), result: RecordedOutcome },
  startScript: {
    params: Type.Object({ script: Script, variables: Type.Record(Type.String(), Type.String()) }),
    result: Nothing,
  },
  followScript: {
    params: Type.Object({
      script: Script,
      start: Type.Optional(OutputCursor),
      /** Bytes after `start` that the runner has. */
      skip: Type.Integer({ minimum: 0 }),
    }),
    result: Type.Union([
      Nothing,
      Type.Object({
        exitCode: Type.Integer(),
        hasLeftProcesses: Type.Boolean(),
        ranOutOfMemory: Type.Optional(Type.Boolean()),
      }),
    ]),
  },
  signalScript: {
    params: Type.Object({ script: Script, name: Type.Enum(['TERM', 'KILL']) }),
    result: Nothing,
  },
} as const

export type Method = keyof typeof METHODS
export type Params<M extends Method> = Static<(typeof METHODS)[M]['params']>
export type Result<M extends Method> = Static<(typeof METHODS)[M]['result']>

export function areParams<M extends Method>(method: M, value: unknown): value is Params<M> {
  return Check(METHODS[method].params, value)
}

export function isResult<M extends Method>(method: M, value: unknown): value is Result<M> {
  return Check(METHODS[method].result, value)
}
