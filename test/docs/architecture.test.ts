import { existsSync, readdirSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const text = readFileSync(new URL('docs/architecture.md', ROOT), 'utf8')

describe('docs/architecture.md', () => {
  test('names files that exist', () => {
    const paths = [...text.matchAll(/`((?:src\/|[a-z-]+\/)[\w/.-]+\.ts)`/g)].map(([, path]) => path!)
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((path) => !exists(path) && !exists(`src/coordinator/${path}`))).toEqual([])
  })

  test.each(['src', 'src/coordinator', 'scripts'])('describes every folder of %s', (folder) => {
    const folders = readdirSync(new URL(folder, ROOT), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    expect(folders.filter((name) => !new RegExp(`^\\| \`${name}\` +\\|`, 'm').test(text))).toEqual([])
  })
})

function exists(path: string): boolean {
  return existsSync(new URL(path, ROOT))
}
