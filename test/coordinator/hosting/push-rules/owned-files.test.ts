import { expect, test } from 'vitest'

import { insertPushRule } from '../../../../src/coordinator/hosting/push-rule-store.js'
import { commit, git, gitOk, workTree } from '../../../support/git-client.js'
import { gitServerForFile } from '../repositories/git-server.js'

const startGitServer = gitServerForFile()

test('a push to a branch that requires code owners changes no file with owners', async () => {
  const server = await startGitServer()
  const { database, project } = server
  const tree = await workTree()
  const push = async (branch: string): Promise<string[]> => {
    const { exitCode, output } = await git(tree, 'push', server.remote(), `HEAD:refs/heads/${branch}`)
    if (exitCode === 0) return []
    return [...output.matchAll(/^remote: (.*?)\s*$/gm)].map(([, line = '']) => line)
  }
  await commit(tree, { CODEOWNERS: '/docs/ @ada\n^[Advice]\n*.md @ada' })
  await gitOk(tree, 'push', server.remote(), 'HEAD:refs/heads/main')
  const rule = { push_access_level: 30, merge_access_level: 30, code_owner_approval_required: true }
  await database
    .insertInto('protected_ref')
    .values({ project_id: project.id, kind: 'branch', name: 'main', created_at: 0, ...rule })
    .onConflict((conflict) => conflict.columns(['project_id', 'kind', 'name']).doUpdateSet(rule))
    .execute()
  await commit(tree, { 'free.md': 'a' })
  expect(await push('main')).toEqual([])
  await commit(tree, { 'docs/a.md': 'a' })
  expect(await push('main')).toEqual([
    'docs/a.md has owners (CODEOWNERS, line 1), who must approve changes of main. Please open a merge request.',
  ])
  expect(await push('topic')).toEqual([])
  // Push rules go on being checked beside that.
  const owner = { column: 'project_id', id: project.id } as const
  await insertPushRule(database, owner, { commit_message_regex: '^JIRA' })
  expect(await push('main')).toHaveLength(1)
  await commit(tree, { 'docs/b.md': 'b' })
  expect(await push('main')).toHaveLength(2)
})
