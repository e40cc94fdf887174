import type { Socket } from 'node:net'
import { join } from 'node:path'

import { connectToMachineEngine } from '../../support/machine-engine.js'
import { type NetworkDoor, openNetworkDoor } from '../../support/network-door.js'
import { tempDir } from '../../support/temp-dir.js'

/** The engine's socket behind one that can be shut, for an engine that goes away. */
export interface EngineDoor extends NetworkDoor {
  host: string
}

/**
 * `remote`: at an address of the network, as an engine on another machine. `endsAttached`: connections that are attached to
 * a container end at once, without an error.
 */
export async function openEngineDoor(
  options: { remote?: boolean; endsAttached?: boolean } = {},
): Promise<EngineDoor> {
  const path = join(await tempDir(), 'engine.sock')
  const place = options.remote ? 'loopback' : { path }
  const door = await openNetworkDoor(
    place,
    connectToMachineEngine,
    options.endsAttached ? endAttached : undefined,
  )
  return { ...door, host: door.port === undefined ? `unix://${path}` : `tcp://127.0.0.1:${door.port}` }
}

function endAttached(inside: Socket, outside: Socket): void {
  let isAttached = false
  inside.on('data', (chunk) => {
    isAttached ||= chunk.includes('/attach?')
    outside.write(chunk)
  })
  outside.on('data', (chunk) => {
    if (isAttached) inside.end(chunk.subarray(0, chunk.indexOf('\r\n\r\n') + 4))
    else inside.write(chunk)
  })
  outside.on('end', () => inside.end())
}
