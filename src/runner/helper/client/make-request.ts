import type { Method, Params, Result } from '../protocol/calls.js'
import type { SignalName } from '../protocol/messages.js'
import type { RequestReceiver } from './helper-connection.js'

export interface RequestOptions {
  /** The signals that the work in the helper process sees. `work` ends the request, or `files` if it is present. */
  signals?: Partial<Record<SignalName, AbortSignal>>
  receiver?: RequestReceiver
  /** Called before the request is made again. */
  onRepeat?: () => void
  /** Whether a repeated request continues after the data that has arrived. */
  isContinued?: boolean
}

/** Makes one request, again and again if its connection is lost. */
export type MakeRequest = <M extends Method>(
  method: M,
  params: Params<M> | (() => Params<M>),
  options?: RequestOptions,
) => Promise<Result<M>>
