import { createRequire } from 'node:module'

import { requireLater, requireOf } from './require-later.js'

/**
 * Must be called before the client of the engine is loaded. The client loads gRPC and tar-fs for builds, and SSH for
 * remote engines. Together they take about a quarter of the heap of an idle runner. With this call, they are loaded
 * on first use.
 */
export function keepClientLight(): void {
  const client = requireOf('dockerode', createRequire(import.meta.url))
  requireLater('@grpc/grpc-js', client)
  requireLater('@grpc/proto-loader', client)
  requireLater('tar-fs', client)
  requireLater('ssh2', requireOf('docker-modem', client), ['Client'])
}
