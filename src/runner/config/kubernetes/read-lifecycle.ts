import type { V1Lifecycle, V1LifecycleHandler } from '@kubernetes/client-node'

import type { TableReader } from '../table-reader.js'

const MAX_PORT = 65535

/** Reads `[runners.kubernetes.container_lifecycle]`. Each hook must do exactly one thing. */
export function readLifecycle(entry: TableReader): V1Lifecycle | undefined {
  const reader = entry.subTable('container_lifecycle')
  const lifecycle = { postStart: readHook(reader, 'post_start'), preStop: readHook(reader, 'pre_stop') }
  reader.reportUnknown()
  return lifecycle.postStart || lifecycle.preStop ? lifecycle : undefined
}

function readHook(entry: TableReader, key: string): V1LifecycleHandler | undefined {
  const reader = entry.subTable(key)
  if (reader.isEmpty) return undefined
  const hook: V1LifecycleHandler = {
    exec: readExec(reader),
    httpGet: readHttpGet(reader),
    tcpSocket: readTcpSocket(reader),
  }
  reader.reportUnknown()
  if (Object.values(hook).filter((action) => action !== undefined).length !== 1) {
    entry.problem(key, 'must have exactly one of exec, http_get and tcp_socket')
  }
  return hook
}

function readExec(entry: TableReader): V1LifecycleHandler['exec'] {
  if (!entry.has('exec')) return undefined
  const reader = entry.subTable('exec')
  const command = reader.strings('command') ?? []
  if (command.length === 0) reader.problem('command', 'is missing')
  reader.reportUnknown()
  return { command }
}

function readHttpGet(entry: TableReader): V1LifecycleHandler['httpGet'] {
  if (!entry.has('http_get')) return undefined
  const reader = entry.subTable('http_get')
  const headers = reader.subTables('http_headers').map((header) => {
    const pair = { name: header.requiredString('name'), value: header.string('value') ?? '' }
    header.reportUnknown()
    return pair
  })
  const action = {
    host: reader.string('host') || undefined,
    path: reader.string('path') || undefined,
    port: readPort(reader),
    scheme: reader.choiceOrEmpty('scheme', ['HTTP', 'HTTPS']),
    httpHeaders: headers.length > 0 ? headers : undefined,
  }
  reader.reportUnknown()
  return action
}

function readTcpSocket(entry: TableReader): V1LifecycleHandler['tcpSocket'] {
  if (!entry.has('tcp_socket')) return undefined
  const reader = entry.subTable('tcp_socket')
  const action = { host: reader.string('host') || undefined, port: readPort(reader) }
  reader.reportUnknown()
  return action
}

function readPort(reader: TableReader): number {
  const port = reader.integer('port', 1)
  if (!reader.has('port') || (port !== undefined && port > MAX_PORT)) {
    reader.problem('port', `must be a number from 1 to ${MAX_PORT}`)
  }
  return port ?? 1
}
