import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { takeLock } from '../../../scripts/dev/only-one.mjs'
import { tempDir } from '../../support/temp-dir.js'

const URL = 'http://127.0.0.1:8930'

test('a second one is refused, with the address of the first', async () => {
  const path = join(await tempDir(), 'lock')
  const lock = await takeLock(path, URL)
  await expect(takeLock(path, URL)).rejects.toThrow(`npm run dev runs already in this clone: ${URL}`)
  await lock.release()
  await (await takeLock(path, URL)).release()
})

test('the lock of a process that was killed is free', async () => {
  const path = join(await tempDir(), 'lock')
  const holder = spawn(process.execPath, [
    '--eval',
    `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`,
  ])
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  await (await takeLock(path, URL)).release()
})
