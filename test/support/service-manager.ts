import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { onTestFinished } from 'vitest'

import { tempDir } from './temp-dir.js'

/** Prints each datagram that arrives as a line of JSON; Node.js has no such sockets. */
const LISTENER = `
import json, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True:
    text = s.recv(65536).decode()
    # The sender's own question whether what it sent before has been read.
    if text != 'BARRIER=1':
        print(json.dumps(text), flush=True)
`

/** A service manager's end of the socket. */
export async function serviceManager() {
  const path = join(await tempDir(), 'notify')
  const listener = spawn('python3', ['-c', LISTENER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    listener.kill('SIGKILL')
    await once(listener, 'exit')
  })
  const lines = createInterface({ input: listener.stdout })[Symbol.asyncIterator]()
  await lines.next()
  return {
    environment: { PATH: process.env['PATH'], NOTIFY_SOCKET: path },
    next: async () => JSON.parse(String((await lines.next()).value)) as string,
  }
}
