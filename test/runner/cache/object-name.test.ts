import { describe, expect, test } from 'vitest'

import { objectName } from '../../../src/runner/cache/s3/object-name.js'

const ADDRESS = { projectId: 12, isProtected: false, key: 'main/node' }
const PLACE = { prefix: '', runner: undefined, isHashed: false }

describe('S3 object names', () => {
  test('are those of the reference runner for unprotected refs', () => {
    expect(objectName(ADDRESS, PLACE)).toBe('project/12/main/node')
    expect(objectName(ADDRESS, { ...PLACE, prefix: '/ci/caches/' })).toBe('ci/caches/project/12/main/node')
    expect(objectName(ADDRESS, { ...PLACE, runner: 'abcdefghi' })).toBe(
      'runner/abcdefghi/project/12/main/node',
    )
    expect(objectName({ ...ADDRESS, key: 'ab01' }, { ...PLACE, isHashed: true })).toBe('project/12/ab/ab01')
  })

  test('have another project prefix for protected refs, for any key', () => {
    expect(objectName({ ...ADDRESS, isProtected: true }, PLACE)).toBe('project/12-protected/main/node')
    for (const key of ['protected/x', '-protected/x', 'x-protected']) {
      expect(objectName({ ...ADDRESS, key }, PLACE)).toMatch(/^project\/12\//)
    }
  })
})
