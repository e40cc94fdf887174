import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { parse } from 'smol-toml'
import { expect, test } from 'vitest'

import {
  addEntry,
  deleteRegistrations,
  hasToken,
  storeToken,
} from '../../../src/runner/config/config-changes.js'
import { changeConfigFile, readConfigFile } from '../../../src/runner/config/config-file.js'
import { tempDir } from '../../support/temp-dir.js'

const COMMENTED = `# The builders of the third floor
concurrent = 4 # as many as it has processors

# Fast disks
[[runners]]
  name = "one"
  url = "https://ci.example"
  token = "glrt-one" # made by Ana
  executor = "docker"
  [runners.docker]
    image = "alpine" # small

# Much memory
[[runners]]
  name = "two"
  url = "https://ci.example"
  token = "$TWO_TOKEN"
  executor = "docker"
  [runners.docker]
    image = "debian"

# The end
[session_server]
  session_timeout = 1800
`

const ENVIRONMENT = { TWO_TOKEN: 'glrt-two' }
const OBTAINED = new Date('2026-03-04T05:06:07.891Z')
const EXPIRES = new Date('2026-06-04T05:06:07Z')

async function fileWith(text: string): Promise<string> {
  const file = join(await tempDir(), 'config.toml')
  await writeFile(file, text)
  return file
}

test('a runner is added at the end, and comments are kept', async () => {
  const file = await fileWith(COMMENTED)
  await changeConfigFile(file, addEntry({ name: 'three', docker: { image: 'x' } }))
  const text = await readFile(file, 'utf8')
  expect(text.startsWith(COMMENTED.trimEnd())).toBe(true)
  expect(text.slice(COMMENTED.length)).toBe(
    '\n[[runners]]\nname = "three"\n\n[runners.docker]\nimage = "x"\n',
  )
})

test('a runner is removed with its tables, and the comments of the others are kept', async () => {
  const file = await fileWith(COMMENTED)
  await changeConfigFile(
    file,
    deleteRegistrations((entry) => entry['name'] === 'one'),
  )
  const text = await readFile(file, 'utf8')
  expect(text).toContain('# as many as it has processors')
  expect(text).toContain('# Much memory\n[[runners]]\n  name = "two"')
  expect(text).toContain('# The end\n[session_server]')
  expect(text).not.toMatch(/"one"|small/)
})

test('a new token replaces the old one in its line', async () => {
  const file = await fileWith(COMMENTED)
  const stored = { token: 'glrt-new', obtainedAt: OBTAINED, expiresAt: EXPIRES }
  await changeConfigFile(file, storeToken(hasToken('https://ci.example', 'glrt-two', ENVIRONMENT), stored))
  const text = await readFile(file, 'utf8')
  expect(text).toContain(
    '[[runners]]\n  token_obtained_at = 2026-03-04T05:06:07.000Z\n  token_expires_at = 2026-06-04T05:06:07.000Z\n  name = "two"',
  )
  expect(text).toContain('  token = "glrt-new"\n  executor')
  expect(text).toContain('token = "glrt-one" # made by Ana')
  await changeConfigFile(
    file,
    storeToken(hasToken('https://ci.example', 'glrt-new', {}), {
      ...stored,
      token: 'glrt-newer',
      expiresAt: undefined,
    }),
  )
  expect(await readFile(file, 'utf8')).toBe(
    text.replace('glrt-new', 'glrt-newer').replace('2026-06-04T05:06:07.000Z', '0001-01-01T00:00:00.000Z'),
  )
})

test.each([
  ['runners in one line', 'runners = [{ name = "one" }, { name = "two" }]\n', ['two', 'three']],
  ['an empty list', 'runners = []\n', ['three']],
  [
    'a header inside a text',
    '[[runners]]\nname = "one"\nx = """\n[[runners]]\n"""\n[[runners]]\nname = "two"\n',
    ['two', 'three'],
  ],
])('a file that cannot be edited by line is still changed correctly: %s', async (_, text, names) => {
  const file = await fileWith(text)
  await changeConfigFile(file, addEntry({ name: 'three' }))
  await changeConfigFile(
    file,
    deleteRegistrations((entry) => entry['name'] === 'one'),
  )
  expect(parse(await readFile(file, 'utf8'))['runners']).toMatchObject(names.map((name) => ({ name })))
})

test('concurrent changes are all applied', async () => {
  const file = await fileWith(COMMENTED)
  const names = Array.from({ length: 20 }, (_, index) => `more-${index}`)
  await Promise.all(names.map((name) => changeConfigFile(file, addEntry({ name }))))
  const table = await readConfigFile(file)
  expect(table?.['runners']).toMatchObject(['one', 'two', ...names].map((name) => ({ name })))
})

test('a symbolic link is followed, and only the owner can read the file', async () => {
  const file = await fileWith(COMMENTED)
  await chmod(file, 0o644)
  const link = join(await tempDir(), 'config.toml')
  await symlink(file, link)
  await changeConfigFile(link, addEntry({ name: 'three' }))
  expect(await readFile(file, 'utf8')).toContain('"three"')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a missing file is created with the given content', async () => {
  const file = join(await tempDir(), 'deep', 'config.toml')
  await changeConfigFile(file, addEntry({ name: 'first' }), { concurrent: 1 })
  expect(await readFile(file, 'utf8')).toBe('concurrent = 1\n\n[[runners]]\nname = "first"\n')
})
