import { describe, expect, test } from 'vitest'

import { API_ERRORS, apiErrorMessage } from '../../src/error-catalogue/api-errors.js'
import type { ApiErrorEntries } from '../../src/error-catalogue/api/entry.js'
import { GIT_ERRORS, LFS_ERRORS } from '../../src/error-catalogue/git-errors.js'
import { API_AREAS } from '../docs/error-reference.js'
import { textFiles } from '../docs/text-files.js'

const areas: ApiErrorEntries[] = [...API_AREAS.map(([, area]) => area), GIT_ERRORS, LFS_ERRORS]
const entries = areas.flatMap((area) => Object.entries(area))

describe('the catalogue of errors', () => {
  test('has each code once', () => {
    const codes = Object.keys({ ...API_ERRORS, ...GIT_ERRORS, ...LFS_ERRORS })
    expect(entries.map(([code]) => code).toSorted()).toEqual(codes.toSorted())
  })

  test('has no code that is thrown by nothing', () => {
    const sources = textFiles('src', '.ts')
      .filter(({ path }) => !path.startsWith('src/error-catalogue/'))
      .flatMap(({ text }) => text.match(/'[a-z_]+'/g) ?? [])
    const named = new Set(sources)
    expect(entries.map(([code]) => code).filter((code) => !named.has(`'${code}'`))).toEqual([])
  })

  test('has the status of each message that begins with one', () => {
    const others = entries.filter(([, { status, message }]) => {
      const written = /^\d{3}(?= )/.exec(message)?.[0]
      return written !== undefined && written !== String(status)
    })
    expect(others).toEqual([])
  })

  test('says in one or two short sentences what to do', () => {
    const unclear = entries.filter(
      ([, { remedy }]) => !remedy.endsWith('.') || remedy.split(' ').length > 30 || /^[a-z]/.test(remedy),
    )
    expect(unclear).toEqual([])
  })
})

test('a message contains the values for its placeholders', () => {
  expect(apiErrorMessage('project_limit_reached', { max: 3 })).toBe(
    'Your project limit is 3 projects! Please contact your administrator to increase it',
  )
  expect(apiErrorMessage('group_not_saved', { field: 'path', problem: '"is taken"' })).toBe(
    'Failed to save group {:path=>["is taken"]}',
  )
})
