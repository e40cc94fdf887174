export type Side = 'person' | 'runner'

/** A part of a terminal that passes between two coordinators. */
export interface TerminalNews {
  id: string
  to: Side
  /** `join`: the other side is at the sender. `joined`: the reply. `alive`: it is still there. `close`: it has gone. */
  kind: 'join' | 'joined' | 'alive' | 'data' | 'text' | 'close'
  /** Bytes in base64, a control message, or why it is closed. */
  content?: string
}
