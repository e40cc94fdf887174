import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { tempDir } from '../../support/temp-dir.js'

const RUN_CHILD = pathToFileURL('scripts/setup/run-child.mjs').href

test('the exit code of the child is served', async () => {
  const parent = await parentOf('process.exit(7)')
  const failure: unknown = await promisify(execFile)(process.execPath, [parent]).catch(
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({ code: 7 })
})

test('a signal that comes twice at once is passed on once', async () => {
  const parent = await parentOf(`
    let count = 0
    process.on('SIGINT', () => { count++; setTimeout(() => process.exit(count), 300) })
    setInterval(() => {}, 1000)
    console.log('ready')
  `)
  const process_ = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(process_.stdout, 'data')
  process_.kill('SIGINT')
  process_.kill('SIGINT')
  expect(await once(process_, 'exit')).toEqual([1, null])
})

/** A program that runs `script` as its child and ends with the child's exit code. */
async function parentOf(script: string): Promise<string> {
  const directory = await tempDir()
  const [parent, child] = [join(directory, 'parent.mjs'), join(directory, 'child.mjs')]
  await writeFile(child, script)
  await writeFile(
    parent,
    `import { runChild } from '${RUN_CHILD}'\nprocess.exitCode = await runChild([${JSON.stringify(child)}])\n`,
  )
  return parent
}
