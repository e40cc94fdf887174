import type { PipelineSpan } from './spans.js'

/** Sends spans to a collector. */
export interface SpanExport {
  /** Rejects if the collector did not take them. */
  send: (spans: readonly PipelineSpan[]) => Promise<void>
  /** Closes the connections; nothing is sent afterwards. */
  close: () => Promise<void>
}
