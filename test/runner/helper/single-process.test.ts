import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { replaceEarlierProcess } from '../../../src/runner/helper/server/single-process.js'
import { tempDir } from '../../support/temp-dir.js'

async function startTimeOf(pid: number | 'self'): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

test('the helper process before ends, and another process with its number does not', async () => {
  const directory = await tempDir()
  const file = join(directory, 'helper.pid')
  const [earlier, other] = [spawn('sleep', ['1000']), spawn('sleep', ['1000'])]
  await Promise.all([once(earlier, 'spawn'), once(other, 'spawn')])
  const ended = once(earlier, 'exit')
  const { pid = 0 } = earlier
  await writeFile(file, `${pid} ${await startTimeOf(pid)}`)
  await replaceEarlierProcess(directory)
  expect(await ended).toEqual([null, 'SIGTERM'])
  expect(await readFile(file, 'utf8')).toBe(`${process.pid} ${await startTimeOf('self')}`)
  await writeFile(file, `${other.pid} 1`)
  await replaceEarlierProcess(directory)
  expect(other.exitCode ?? other.signalCode).toBeNull()
  const last = once(other, 'exit')
  other.kill()
  await last
})
