import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { createLogger } from '../../../src/lib/logger.js'
import type { HelperPlaces } from '../../../src/runner/executor/helper-places.js'
import { serveHelper } from '../../../src/runner/helper/server/serve-helper.js'
import { onFinished } from '../lifetime.js'
import { tempDir } from '../temp-dir.js'

/** Connects the standard streams of a process in a container with a socket. */
const PROXY = `const socket = require('node:net').connect(process.argv[1])
process.stdin.pipe(socket).pipe(process.stdout)
socket.on('close', () => process.exit())`

/**
 * The helper in this process, which needs no build: the command for the container only passes bytes on. A connection ends
 * the one before, as a helper process does.
 */
export async function startHelperSocket(places: HelperPlaces): Promise<string[]> {
  const path = join(await tempDir(), 'helper.sock')
  const logger = createLogger('runner', 'silent')
  let before = new AbortController()
  const server = createServer((socket) => {
    before.abort()
    before = new AbortController()
    void serveHelper(socket, { places, logger }, before.signal)
  })
  server.listen(path)
  await once(server, 'listening')
  onFinished(() => {
    before.abort()
    server.close()
  })
  return [process.execPath, '-e', PROXY, path]
}
