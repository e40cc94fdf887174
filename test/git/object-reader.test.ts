import { readdir, readFile } from 'node:fs/promises'

import { expect, onTestFinished, test } from 'vitest'

import { ObjectReader } from '../../src/git/object-reader.js'
import { runGit } from '../../src/git/run-git.js'
import { tempDir } from '../support/temp-dir.js'

async function repositoryWithBlob(
  text: string,
): Promise<{ gitDir: string; id: string; reader: ObjectReader }> {
  const gitDir = await tempDir()
  await runGit(['init', '--quiet', '--bare', '--', gitDir])
  const id = (await runGit(['--git-dir', gitDir, 'hash-object', '-w', '--stdin'], { input: text })).trim()
  const reader = new ObjectReader(gitDir)
  onTestFinished(() => reader.close())
  return { gitDir, id, reader }
}

/** IDs of the processes whose command names the repository. */
async function gitProcessesOf(gitDir: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return ids.filter((_, index) => commands[index]?.includes(gitDir))
}

test('concurrent reads return their own objects', async () => {
  const { gitDir, id, reader } = await repositoryWithBlob('one')
  const other = await runGit(['--git-dir', gitDir, 'hash-object', '-w', '--stdin'], { input: 'two\n' })
  const found = await Promise.all([
    reader.read(id, 100),
    reader.read('0'.repeat(40), 100),
    reader.read(other.trim(), 100),
  ])
  expect(found.map((object) => object?.content.toString())).toEqual(['one', undefined, 'two\n'])
})

test('an object over the size limit is skipped, and the next one is read', async () => {
  const { gitDir, id, reader } = await repositoryWithBlob('x'.repeat(300_000))
  const small = await runGit(['--git-dir', gitDir, 'hash-object', '-w', '--stdin'], { input: 'small' })
  await expect(reader.read(id, 1000)).rejects.toThrow('at most 1000')
  expect((await reader.read(small.trim(), 1000))?.content.toString()).toBe('small')
})

test('a name with a line feed is not read as two objects', async () => {
  const { id, reader } = await repositoryWithBlob('one')
  expect(await reader.read(`${id}\n${id}`, 100)).toBeUndefined()
  expect((await reader.read(id, 100))?.content.toString()).toBe('one')
})

test('a crashed git process is an error, and closing afterwards is not', async () => {
  const reader = new ObjectReader('/nonexistent/repository')
  await expect(reader.read('a'.repeat(40), 100)).rejects.toThrow('not a git repository')
  await reader.close()
  await reader.close()
})

test('a reader that was closed still reads, and leaves no git process', async () => {
  const { gitDir, id, reader } = await repositoryWithBlob('one')
  await reader.read(id, 100)
  expect(await gitProcessesOf(gitDir)).toHaveLength(1)
  await reader.close()
  const found = await Promise.all([reader.read(id, 100), reader.read(id, 100)])
  expect(found.map((object) => object?.content.toString())).toEqual(['one', 'one'])
  expect(await gitProcessesOf(gitDir)).toEqual([])
})
