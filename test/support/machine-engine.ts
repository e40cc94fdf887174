import { connect, type Socket } from 'node:net'

import { engineAddress } from '../../scripts/setup/docker-ping.mjs'

/** The address of the engine that tests use. Docker clients without settings find the same one. */
export const MACHINE_ENGINE: string = engineAddress(process.env).name

/** A connection to that engine. */
export function connectToMachineEngine({ allowHalfOpen = false } = {}): Socket {
  const { options, secure } = engineAddress(process.env)
  if (secure) throw new Error(`This test connects to ${MACHINE_ENGINE} itself, and speaks no TLS`)
  const { socketPath, host, port } = options
  const address = socketPath ? { path: socketPath } : { host: host ?? '127.0.0.1', port: Number(port) }
  return connect({ ...address, allowHalfOpen })
}
