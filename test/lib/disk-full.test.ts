import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'

import { GitError } from '../../src/git/errors.js'
import { isDiskFull } from '../../src/lib/disk-full.js'

test.each<[string, unknown]>([
  ['a write', withCode('ENOSPC')],
  ['a write of a user with a quota', withCode('EDQUOT')],
  ['SQLite', errorOfFullSqlite()],
  ['PostgreSQL', withCode('53100')],
  [
    'git',
    new GitError('hash-object', 128, 'error: write error: No space left on device\nfatal: unable to add it'),
  ],
  [
    'an error that another one has caused',
    new Error('The file was not stored', { cause: withCode('ENOSPC') }),
  ],
])('a full disk is recognized in the error of %s', (_, error) => {
  expect(isDiskFull(error)).toBe(true)
})

test('other errors are not about a full disk', () => {
  const others = [
    withCode('EIO'),
    new GitError('fetch', 128, 'fatal: no such ref'),
    new Error('x'),
    'ENOSPC',
    undefined,
  ]
  expect(others.filter(isDiskFull)).toEqual([])
})

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** As a full disk makes it: the database may not grow. */
function errorOfFullSqlite(): unknown {
  const database = new Sqlite(':memory:')
  database.exec('create table t (x); pragma max_page_count = 2')
  try {
    database.exec('insert into t values (hex(zeroblob(100000)))')
    return undefined
  } catch (error) {
    return error
  } finally {
    database.close()
  }
}
