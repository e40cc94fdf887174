import { useEffect, useRef, useState } from 'preact/hooks'

import { boot } from '../api/boot.js'
import { type Connection, type LiveHandlers, LiveStream } from './stream.js'

/** When this tab had the page, about. */
const loadedAt = performance.now()

const connectionListeners = new Set<(connection: Connection) => void>()
const buildListeners = new Set<(build: string) => void>()

const stream = new LiveStream(
  (connection) => {
    for (const listener of connectionListeners) listener(connection)
  },
  (build) => {
    for (const listener of buildListeners) listener(build)
  },
  () => boot.time + performance.now() - loadedAt,
  boot.time,
)

/**
 * Follows topics of the stream while the component is on the page, such as `project/5`, `pipeline/12`, `job/9`,
 * `trace/9/1024` (from a byte on), `me` and `runners`.
 * @param topics an empty list follows nothing
 * @param handlers by the name of the event; they receive the events of all topics of the page, and select by the IDs in them
 * @param resync reads again what the topics are about
 */
export function useLive(topics: readonly string[], handlers: LiveHandlers, resync: () => void): void {
  const current = useRef({ handlers, resync })
  current.current = { handlers, resync }
  const names = topics.join(',')
  useEffect(() => {
    if (names === '') return undefined
    return stream.follow({
      topics: names.split(','),
      handlers: new Proxy(
        {},
        {
          get: (_target, name) => current.current.handlers[name as keyof LiveHandlers],
        },
      ),
      resync: () => current.current.resync(),
    })
  }, [names])
}

/** The state of the stream. */
export function useConnection(): Connection {
  const [connection, setConnection] = useState<Connection>(stream.connection)
  useEffect(() => {
    connectionListeners.add(setConnection)
    return () => void connectionListeners.delete(setConnection)
  }, [])
  return connection
}

/** Calls `listener` with the build of the pages that the server has, each time that the stream opens. */
export function onServerBuild(listener: (build: string) => void): void {
  buildListeners.add(listener)
}
