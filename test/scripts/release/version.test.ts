import { expect, test } from 'vitest'

import { debianChangelog, nodeDependency } from '../../../scripts/release/debian-texts.mjs'
import { debianVersion, nextVersion } from '../../../scripts/release/version.mjs'

test.each([
  ['0.1.0', '1.0.0', '1.0.0'],
  ['1.0.0-rc.1', '1.0.0', '1.0.0'],
  ['1.0.0-rc.9', '1.0.0-rc.10', '1.0.0-rc.10'],
  ['1.9.3', '1.10.0', '1.10.0'],
  ['1.9.3', 'major', '2.0.0'],
  ['1.9.3', 'minor', '1.10.0'],
  ['1.9.3', 'patch', '1.9.4'],
])('after %s, the release %s has the version %s', (present, wanted, next) => {
  expect(nextVersion(present, wanted)).toBe(next)
})

test.each([
  ['1.0.0', '1.0.0'],
  ['1.0.0', '1.0.0-rc.2'],
  ['1.10.0', '1.9.9'],
  ['2.0.0', '1.9.9'],
])('after %s, %s is refused because it is not newer', (present, wanted) => {
  expect(() => nextVersion(present, wanted)).toThrow(`${wanted} is not newer than ${present}`)
})

test.each(['v1.0.0', '1.0', '1.0.0-beta', 'latest', '1.0.0.0'])('%s is no version', (wanted) => {
  expect(() => nextVersion('0.1.0', wanted)).toThrow(`"${wanted}" is not a version`)
})

test('Debian sorts the candidate of a release before it', () => {
  expect(debianVersion('1.0.0-rc.1')).toBe('1.0.0~rc.1-1')
  expect(debianVersion('1.0.0')).toBe('1.0.0-1')
})

test('the Debian changelog begins with the version of the package', () => {
  const text = debianChangelog('1.2.0', 'Sat, 28 Nov 2026 12:00:00 +0000')
  expect(text).toMatch(/^switchyard \(1\.2\.0-1\) stable; urgency=medium\n\n {2}\* /)
  expect(text).toMatch(/\n -- [^<]+ <[^>]+> {2}Sat, 28 Nov 2026 12:00:00 \+0000\n$/)
})

test.each([
  ['20.20.2', 'nodejs (>= 20.19), nodejs (<< 21~)'],
  ['22.4.0', 'nodejs (>= 22.0), nodejs (<< 23~)'],
])('an add-on that Node.js %s has compiled needs that major version', (version, dependency) => {
  expect(nodeDependency(version)).toBe(dependency)
})
