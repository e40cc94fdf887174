import { existsSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

interface Lock {
  packages: Record<string, { version: string; engines?: { node?: string }; resolved?: string }>
}

const dockerfile = readFileSync('Dockerfile', 'utf8')
const ignored = readFileSync('.dockerignore', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }

test('the build of the image finds every path that it copies', () => {
  const copied = [...dockerfile.matchAll(/^(?:COPY|ADD) (?!--from=)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )
  expect(copied).toContain('src')
  expect(copied.filter((path) => !existsSync(path) || !isSent(path))).toEqual([])
})

test('no package wants a newer Node.js than the oldest that is supported', () => {
  const oldest = engines.node.replace('>=', '')
  const tooNew = Object.entries(packages).filter(
    ([, { engines: wanted }]) => !allows(wanted?.node ?? '*', oldest),
  )
  expect(tooNew.map(([path, { version }]) => `${path} ${version}`)).toEqual([])
})

test('the lock file names no registry', () => {
  expect(Object.keys(packages).filter((path) => packages[path]?.resolved !== undefined)).toEqual([])
})

test.each([
  ['>=20.19', true],
  ['>= 18.0.0 < 23', true],
  ['^18 || ^20.19.0 || >=22', true],
  ['20.x || 22.x', true],
  ['20 || >=22', true],
  ['>=22', false],
  ['^22.13.0 || >=24', false],
  ['>=20.20', false],
  ['^18', false],
])('the range %s has the Node.js 20.19: %s', (range, expected) => {
  expect(allows(range, '20.19')).toBe(expected)
})

/** Whether the engine gets the path, by the last pattern that matches it. */
function isSent(path: string): boolean {
  const last = ignored.findLast((pattern) => {
    const name = pattern.replace(/^!/, '')
    if (/[*?[]/.test(name) && name !== '*')
      throw new Error(`this test does not read patterns such as ${name}`)
    return name === '*' || path === name || path.startsWith(`${name}/`)
  })
  return last === undefined || last.startsWith('!')
}

/** Whether one of the alternatives of the range begins at `version` or below, and has not ended by its major number. */
function allows(range: string, version: string): boolean {
  return range.split('||').some((alternative) => {
    const [, operator = '', lowest = ''] = /^\s*([>=^~v ]*)([\d.]*)/.exec(alternative) ?? []
    if (compare(lowest, version) > 0) return false
    return (
      lowest === '' || operator.includes('>') || Number.parseInt(lowest, 10) === Number.parseInt(version, 10)
    )
  })
}

function compare(one: string, other: string): number {
  const [a = [], b = []] = [one, other].map((text) => text.split('.').map(Number))
  return (
    [0, 1, 2].map((index) => (a[index] ?? 0) - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0
  )
}
