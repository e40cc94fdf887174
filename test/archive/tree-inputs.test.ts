import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, onTestFinished, test } from 'vitest'

import { NotAFileError } from '../../src/archive/errors.js'
import { TreeReader } from '../../src/archive/tree-inputs.js'
import { tempDir } from '../support/temp-dir.js'

async function read(root: string, name: string) {
  const [open] = new TreeReader(root).inputs([name])
  return open?.()
}

test('a name behind a symbolic link is not read', async () => {
  const root = await tempDir()
  await mkdir(join(root, 'inside/deep'), { recursive: true })
  await writeFile(join(root, 'inside/deep/file'), 'x')
  await symlink('/etc', join(root, 'outside'))
  await symlink('inside', join(root, 'door'))
  for (const name of ['outside/passwd', 'door/deep/file', 'inside/../../passwd', 'inside/deep/file/x']) {
    await expect(read(root, name)).rejects.toThrow(NotAFileError)
    await expect(new TreeReader(root).openFile(name)).rejects.toThrow(NotAFileError)
  }
  expect(await read(root, 'inside/deep/file')).toMatchObject({ kind: 'file', content: Buffer.from('x') })
})

test('only regular files can be opened', async () => {
  const root = await tempDir()
  await mkdir(join(root, 'directory'))
  await symlink('/etc/passwd', join(root, 'link'))
  await promisify(execFile)('mkfifo', [join(root, 'pipe')])
  const server = createServer().listen(join(root, 'socket'))
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  for (const name of ['directory', 'link', 'pipe', 'socket']) {
    await expect(new TreeReader(root).openFile(name)).rejects.toThrow(NotAFileError)
  }
  expect(await read(root, 'pipe')).toMatchObject({ kind: 'special' })
  expect(await read(root, 'socket')).toMatchObject({ kind: 'special' })
  expect(await read(root, 'link')).toMatchObject({ kind: 'link', target: Buffer.from('/etc/passwd') })
})

test('an opened file that is not read can be closed twice', async () => {
  const root = await tempDir()
  await writeFile(join(root, 'large'), Buffer.alloc(1_000_000))
  const { size, close } = await new TreeReader(root).openFile('large')
  expect(size).toBe(1_000_000)
  await close()
  await close()
})
