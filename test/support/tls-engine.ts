import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'

import { onFinished } from './lifetime.js'
import { connectToMachineEngine } from './machine-engine.js'

/**
 * The engine of the machine behind TLS that wants a certificate of its own authority. Returns its address.
 * @param folder with `ca.pem`, `cert.pem` and `key.pem`
 */
export async function startTlsEngine(folder: string): Promise<string> {
  const [ca, cert, key] = await Promise.all(
    ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readFile(join(folder, name))),
  )
  const server = createServer({ ca, cert, key, requestCert: true, rejectUnauthorized: true }, (inside) => {
    const outside = connectToMachineEngine({ allowHalfOpen: true })
    for (const socket of [inside, outside]) socket.on('error', () => undefined)
    inside.pipe(outside).pipe(inside)
    inside.once('close', () => outside.destroy())
    outside.once('close', () => inside.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onFinished(() => void server.close())
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
}
