import { readdir, readFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const FOLDER = 'test/security/'

/** A row of the page: ``| promise | `test/…`: "title" |``. A title may leave out the values of a table of cases. */
const ROW = /`(test\/[^`]+)`: "(.+)" *\|$/gm

async function promises(): Promise<{ file: string; title: string }[]> {
  const page = await readFile(new URL('docs/security.md', ROOT), 'utf8')
  return [...page.matchAll(ROW)].map(([, file = '', title = '']) => ({ file, title }))
}

async function testsOfAttacks(): Promise<string[]> {
  const entries = await readdir(new URL(FOLDER, ROOT), { recursive: true })
  return entries.filter((path) => /\/.+\.test\.ts$/.test(path)).map((path) => FOLDER + path)
}

test('every promise of docs/security.md names a test that exists', async () => {
  const rows = await promises()
  expect(rows.length).toBeGreaterThan(50)
  for (const { file, title } of rows) {
    const source = await readFile(new URL(file, ROOT), 'utf8')
    expect(source, file).toContain(title)
  }
})

test('every test of an attack holds a promise of docs/security.md', async () => {
  const named = new Set((await promises()).map(({ file }) => file))
  expect((await testsOfAttacks()).filter((file) => !named.has(file))).toEqual([])
})
