import { describe, expect, it } from 'vitest'

import {
  addressProblem,
  nameInAddress,
  nameInArchive,
  withCredentials,
} from '../../src/web/pages/projects/import-address.js'

describe('the address of a repository to import', () => {
  it.each([
    ['https://git.example.com/group/app.git', undefined],
    ['http://127.0.0.1/app', undefined],
    ['git.example.com/app', 'is not an address, such as https://git.example.com/group/app.git'],
    ['git@git.example.com:group/app.git', 'is not an address, such as https://git.example.com/group/app.git'],
    ['ssh://git@git.example.com/app', 'must begin with https:// or http://'],
  ])('%s', (address, problem) => {
    expect(addressProblem(address)).toBe(problem)
  })

  it.each([
    ['https://git.example.com/group/app.git', 'app'],
    ['https://git.example.com/group/app/', 'app'],
    ['https://git.example.com/my%20app?x=1', 'my app'],
    ['https://git.example.com/%E0', '%E0'],
  ])('%s suggests a name', (address, name) => {
    expect(nameInAddress(address)).toBe(name)
  })

  it('carries credentials, whatever characters they have', () => {
    expect(withCredentials('https://git.example.com/app.git', 'ada', 'p@ss/word')).toBe(
      'https://ada:p%40ss%2Fword@git.example.com/app.git',
    )
    expect(withCredentials('https://git.example.com/app.git', '', '')).toBe('https://git.example.com/app.git')
  })
})

describe('the name of an archive', () => {
  it.each([
    ['2026-11-25_10-00-000_group_app_export.tar.gz', 'group_app'],
    ['app.tar.gz', 'app'],
    ['app_export.tgz', 'app'],
  ])('%s suggests the name %s', (file, name) => {
    expect(nameInArchive(file)).toBe(name)
  })
})
