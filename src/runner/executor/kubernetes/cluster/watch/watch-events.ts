import { isRecord } from '../../../../../lib/is-record.js'
import { statusError } from '../api/api-errors.js'
import { readJson } from '../api/api-objects.js'
import { ClusterError } from '../cluster.js'

/** What a watch reports. */
export type WatchEvent<T> =
  | { type: 'changed' | 'deleted'; object: T; resourceVersion: string }
  /** Nothing has changed up to this version. */
  | { type: 'bookmark'; resourceVersion: string }

/** Reads one line of a watch. Throws the `ClusterError` that the line reports. */
export function readWatchEvent<T>(
  line: string,
  server: URL,
  isObject: (value: unknown) => value is T,
): WatchEvent<T> {
  const event = parse(line, server)
  const { type, object } = isRecord(event) ? event : {}
  if (type === 'ERROR') throw statusError(object, codeOf(object), server)
  const metadata = isRecord(object) ? object['metadata'] : undefined
  const resourceVersion = isRecord(metadata) ? metadata['resourceVersion'] : undefined
  if (typeof resourceVersion !== 'string') throw notUnderstood(server)
  if (type === 'BOOKMARK') return { type: 'bookmark', resourceVersion }
  if (!isObject(object)) throw notUnderstood(server)
  return { type: type === 'DELETED' ? 'deleted' : 'changed', object, resourceVersion }
}

function parse(line: string, server: URL): unknown {
  try {
    return readJson(line)
  } catch (error) {
    throw notUnderstood(server, error)
  }
}

function codeOf(status: unknown): number | undefined {
  const code = isRecord(status) ? status['code'] : undefined
  return typeof code === 'number' ? code : undefined
}

/** Such as a line that was cut with its connection. */
function notUnderstood(server: URL, cause?: unknown): ClusterError {
  return new ClusterError(
    `A watch of the API server at ${server.origin} sent no event`,
    undefined,
    undefined,
    { cause },
  )
}
