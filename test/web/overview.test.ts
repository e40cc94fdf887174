import { describe, expect, it } from 'vitest'

import { inTreeOrder } from '../../src/web/code/tree-order.js'
import { tokenRequest, urlWithToken } from '../../src/web/pages/overview/clone-token.js'
import { pushCommands } from '../../src/web/pages/overview/push-commands.js'
import { countsInOrder } from '../../src/web/pages/overview/status-counts.js'
import { creatableIn } from '../../src/web/records/creatable-groups.js'

describe('the files of a folder', () => {
  it('come after its folders, each by name, numbers by their value', () => {
    const entry = (name: string, type: 'tree' | 'blob' | 'commit' = 'blob') => ({ name, type })
    const sorted = inTreeOrder([
      entry('v10'),
      entry('README.md'),
      entry('src', 'tree'),
      entry('v2'),
      entry('lib', 'commit'),
      entry('docs', 'tree'),
    ])
    expect(sorted.map(({ name }) => name)).toEqual(['docs', 'src', 'lib', 'README.md', 'v2', 'v10'])
  })
})

describe('commands to push a first commit', () => {
  it.each(pushCommands({ url: 'https://ci.example.com/group/app.git', folder: 'app' }))(
    'name the address of the repository for $title',
    ({ text }) => {
      expect(text).toContain('https://ci.example.com/group/app.git')
      expect(text).toContain('git push')
    },
  )
})

describe('a token to clone', () => {
  it('reads repositories for thirty days', () => {
    expect(tokenRequest('group/app', new Date('2026-11-25T23:59:00Z'))).toEqual({
      name: 'clone group/app',
      scopes: ['read_repository'],
      expires_at: '2026-12-25',
    })
  })

  it('is in the address of the repository', () => {
    expect(urlWithToken('https://ci.example.com:8443/group/app.git', 'ada', 'glpat-x')).toBe(
      'https://ada:glpat-x@ci.example.com:8443/group/app.git',
    )
  })
})

describe('the statuses of a subgroup', () => {
  it('begin with those that need somebody', () => {
    const counts = countsInOrder({ success: 9, canceled: 1, running: 2, skipped: 4, failed: 1 })
    expect(counts.map(({ status, count }) => `${status} ${count}`)).toEqual([
      'failed 1',
      'running 2',
      'success 9',
      'skipped 4',
      'canceled 1',
    ])
  })
})

describe('groups in which a user may create projects', () => {
  const group = (id: number, level: string) => ({
    id,
    full_path: `g${id}`,
    visibility: 'private' as const,
    project_creation_level: level,
  })
  const groups = [group(1, 'developer'), group(2, 'maintainer'), group(3, 'maintainer'), group(4, 'noone')]

  it('depend on the role that the setting of the group asks for', () => {
    expect(creatableIn(groups, [groups[2] as (typeof groups)[0]], false).map(({ id }) => id)).toEqual([1, 3])
  })

  it('are all groups for an administrator', () => {
    expect(creatableIn(groups, [], true)).toEqual(groups)
  })
})
