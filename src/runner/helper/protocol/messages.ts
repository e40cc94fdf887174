import { type Static, Type } from 'typebox'

import { OutputCursor } from '../../executor/output/output-cursor.js'
import { RecordedError } from './recorded-error.js'

/**
 * Bytes of `data` of one request that may be under way, before they were compressed. On a busy node, they take a tenth of a
 * second or more from one side to the other, through the runtime, the kubelet and the API server.
 */
export const WINDOW_BYTES = 4 * 1024 * 1024
/** Bytes of one `data`, before they were compressed. */
export const MAX_DATA_BYTES = 256 * 1024

/** Number of a request, chosen by the runner. */
const Id = Type.Integer({ minimum: 1 })

/** The version of the program, as the first message of each side. */
const Hello = Type.Object({ type: Type.Literal('hello'), version: Type.String({ maxLength: 100 }) })

/** Shows that the connection is alive. */
const Ping = Type.Object({ type: Type.Literal('ping') })

/** The abort signals of a request: `work` for most, and `files` for stages that save files of a canceled job. */
const SIGNAL_NAMES = ['work', 'files'] as const
export type SignalName = (typeof SIGNAL_NAMES)[number]

/** Messages of the runner. The comment names the body, if there is one. */
export const RunnerMessage = Type.Union([
  Hello,
  Ping,
  /** Parameters of the method as JSON. */
  Type.Object({ type: Type.Literal('request'), id: Id, method: Type.String() }),
  Type.Object({
    type: Type.Literal('abort'),
    id: Id,
    signal: Type.Enum(SIGNAL_NAMES),
    error: RecordedError,
  }),
  /** Bytes of `data` that were passed on, of one message or several. */
  Type.Object({ type: Type.Literal('received'), id: Id, bytes: Type.Integer({ minimum: 0 }) }),
  /** The end of a `call`. */
  Type.Object({
    type: Type.Literal('reply'),
    id: Id,
    call: Type.Integer(),
    error: Type.Optional(RecordedError),
  }),
])
export type RunnerMessage = Static<typeof RunnerMessage>

/** What a request asks of the runner while it runs. */
const CALL_NAMES = [
  'enterStage',
  'leaveStage',
  'addDamagedCache',
  'beginArtifact',
  'failArtifact',
  'endArtifact',
] as const
export type CallName = (typeof CALL_NAMES)[number]

/** Messages of the helper. */
export const HelperMessage = Type.Union([
  Hello,
  Ping,
  /**
   * Bytes of the log or the output, or of an artifact. `size`: their number, if the body is compressed (`DataPacker`).
   * `cursor`: where the output after them begins.
   */
  Type.Object({
    type: Type.Literal('data'),
    id: Id,
    stream: Type.Enum(['output', 'artifact']),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DATA_BYTES })),
    cursor: Type.Optional(OutputCursor),
  }),
  /** The argument as JSON. */
  Type.Object({ type: Type.Literal('call'), id: Id, call: Type.Integer(), name: Type.Enum(CALL_NAMES) }),
  /** The result as JSON. */
  Type.Object({ type: Type.Literal('result'), id: Id }),
  Type.Object({ type: Type.Literal('failure'), id: Id, error: RecordedError }),
])
export type HelperMessage = Static<typeof HelperMessage>

/** Parameters contain the job as received and the contents of file variables. */
export const MAX_RUNNER_BODY_BYTES = 256 * 1024 * 1024
/** The largest result is a list of marks. */
export const MAX_HELPER_BODY_BYTES = 32 * 1024 * 1024
