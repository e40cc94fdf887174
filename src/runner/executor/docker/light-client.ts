import { createRequire } from 'node:module'

import { requireLater, requireOf } from './require-later.js'

/**
 * To be called before the engine's client is loaded. The client loads gRPC for building images with BuildKit and SSH
 * for engines behind it, about a quarter of an idle runner's heap; both are loaded when they are used.
 */
export function keepClientLight(): void {
  const client = requireOf('dockerode', createRequire(import.meta.url))
  requireLater('@grpc/grpc-js', client)
  requireLater('@grpc/proto-loader', client)
  requireLater('ssh2', requireOf('docker-modem', client), ['Client'])
}
