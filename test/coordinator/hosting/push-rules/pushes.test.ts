import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { deletePushRule, insertPushRule } from '../../../../src/coordinator/hosting/push-rule-store.js'
import { addCommits, commit, git, gitOk, workTree } from '../../../support/git-client.js'
import { type GitServer, gitServerForFile } from '../repositories/git-server.js'

const startGitServer = gitServerForFile()

type Rule = Parameters<typeof insertPushRule>[2]

async function openProject() {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  const owner = { column: 'project_id', id: server.project.id } as const
  const setRule = async (rule: Rule) => {
    await deletePushRule(server.database, owner)
    await insertPushRule(server.database, owner, rule)
  }
  return { server, tree, setRule }
}

/** Pushes the work tree to a new branch. Returns the reasons why that is refused. */
async function push(
  { server, tree }: { server: GitServer; tree: string },
  branch = `b-${randomBytes(4).toString('hex')}`,
) {
  const { exitCode, output } = await git(tree, 'push', server.remote(), `HEAD:refs/heads/${branch}`)
  const isThere = (await server.repositories.resolveRef(server.project.id, branch)) !== undefined
  expect(isThere).toBe(exitCode === 0)
  return exitCode === 0
    ? []
    : [...output.matchAll(/^remote: (.*?)\s*$/gm)].map(([, line = '']) =>
        line.replaceAll(/\b[0-9a-f]{8}\b/g, 'ID'),
      )
}

/** A commit whose object has another header, as a signature. */
async function commitWithHeader(tree: string, header: string): Promise<void> {
  const object = await gitOk(tree, 'cat-file', 'commit', 'HEAD')
  const [headers = '', ...message] = object.split('\n\n')
  await replaceCommit(tree, `${headers}\n${header}\n\n${message.join('\n\n')}\n`)
}

/** Makes this the content of the newest commit. */
async function replaceCommit(tree: string, content: string): Promise<void> {
  const file = join(tree, '.git', 'new-commit')
  await writeFile(file, content)
  await gitOk(
    tree,
    'reset',
    '--quiet',
    '--hard',
    await gitOk(tree, 'hash-object', '-t', 'commit', '-w', file),
  )
}

test('a push is refused with the name of each rule that its commits break, and moves no ref', async () => {
  const scene = await openProject()
  const { tree, setRule } = scene
  await commit(tree, { 'notes.txt': 'n' })
  await gitOk(tree, 'commit', '--quiet', '--amend', '-m', 'WIP: notes')
  await setRule({ commit_message_regex: '^JIRA-\\d+' })
  expect(await push(scene)).toEqual([
    "Commit ID: the message does not match the push rule commit_message_regex '^JIRA-\\d+'.",
  ])
  await setRule({ commit_message_negative_regex: 'WIP' })
  expect(await push(scene)).toEqual([
    "Commit ID: the message matches the push rule commit_message_negative_regex 'WIP'.",
  ])
  await setRule({ author_email_regex: '@team\\.example$' })
  expect(await push(scene)).toEqual([
    "Commit ID: the address 'ada@example.com' of the author does not match the push rule author_email_regex '@team\\.example$'.",
    "Commit ID: the address 'ada@example.com' of the committer does not match the push rule author_email_regex '@team\\.example$'.",
  ])
  await setRule({ branch_name_regex: '^feature/' })
  expect(await push(scene, 'topic')).toEqual([
    "The branch name 'topic' does not match the push rule branch_name_regex '^feature/'.",
  ])
  await setRule({
    commit_message_regex: 'notes',
    commit_message_negative_regex: 'secret',
    branch_name_regex: '^feature/',
    author_email_regex: '@example\\.com$',
    file_name_regex: '\\.exe$',
    max_file_size: 1,
    member_check: true,
    prevent_secrets: true,
    commit_committer_check: true,
    deny_delete_tag: true,
  })
  expect(await push(scene, 'feature/topic')).toEqual([])
  // The default branch may have any name, and what is on a branch is not checked again.
  await setRule({ branch_name_regex: '^feature/', commit_message_regex: 'never' })
  expect(await push(scene, 'main')).toEqual([])
})

test('files are refused by name, also when they are renamed, and by size', async () => {
  const scene = await openProject()
  const { tree, setRule } = scene
  await setRule({ file_name_regex: '\\.exe$', prevent_secrets: true, max_file_size: 1 })
  await commit(tree, { 'tools/a b.exe': 'x', 'home/.ssh/id_rsa': 'k', 'keys/server.pem': 'p', 'ok.txt': 'o' })
  expect(await push(scene)).toEqual([
    "Commit ID: the file 'home/.ssh/id_rsa' may contain secrets (push rule prevent_secrets).",
    "Commit ID: the file 'keys/server.pem' may contain secrets (push rule prevent_secrets).",
    "Commit ID: the file name 'tools/a b.exe' matches the push rule file_name_regex '\\.exe$'.",
  ])
  await gitOk(tree, 'reset', '--quiet', '--hard', 'HEAD~1')
  await commit(tree, { 'tool.bin': 'x' })
  expect(await push(scene)).toEqual([])
  await gitOk(tree, 'mv', 'tool.bin', 'tool.exe')
  await gitOk(tree, 'commit', '--quiet', '-m', 'Rename')
  expect(await push(scene)).toEqual([
    "Commit ID: the file name 'tool.exe' matches the push rule file_name_regex '\\.exe$'.",
  ])
  await gitOk(tree, 'reset', '--quiet', '--hard', 'HEAD~1')
  await commit(tree, { large: randomBytes(1_500_000), small: randomBytes(900_000) })
  // A file that a later commit removes is nevertheless in the repository.
  await gitOk(tree, 'rm', '--quiet', 'large')
  await gitOk(tree, 'commit', '--quiet', '-m', 'Remove')
  expect(await push(scene)).toEqual([
    'The file of object ID has 1.4 MB, more than the 1 MB of the push rule max_file_size. Use Git LFS for large files.',
  ])
})

test('a message is matched by lines, and files that only a merge adds are checked', async () => {
  const scene = await openProject()
  const { tree, setRule } = scene
  await setRule({ commit_message_regex: '^JIRA-\\d+: \\w+$' })
  await commit(tree, { 'notes.txt': 'n' })
  await gitOk(tree, 'commit', '--quiet', '--amend', '-m', 'Summary\n\nJIRA-1: text\nEnd')
  expect(await push(scene)).toEqual([])
  await setRule({ prevent_secrets: true, max_file_size: 1 })
  await gitOk(tree, 'checkout', '--quiet', '-b', 'side', 'HEAD~1')
  await commit(tree, { b: 'b' })
  await gitOk(tree, 'merge', '--quiet', '--no-commit', '--no-ff', 'main')
  await commit(tree, { id_rsa: randomBytes(1_500_000) })
  expect(await push(scene)).toEqual([
    "Commit ID: the file 'id_rsa' may contain secrets (push rule prevent_secrets).",
    'The file of object ID has 1.4 MB, more than the 1 MB of the push rule max_file_size. Use Git LFS for large files.',
  ])
})

test('a large file may be moved, and a tag may not stand for one', async () => {
  const scene = await openProject()
  const { server, tree, setRule } = scene
  await commit(tree, { large: randomBytes(1_500_000) })
  expect(await push(scene)).toEqual([])
  await setRule({ max_file_size: 1 })
  await gitOk(tree, 'mv', 'large', 'moved')
  await gitOk(tree, 'commit', '--quiet', '-m', 'Move')
  expect(await push(scene)).toEqual([])
  await writeFile(join(tree, 'other'), randomBytes(1_500_000))
  await gitOk(tree, 'tag', 'blob', await gitOk(tree, 'hash-object', '-w', 'other'))
  const { exitCode, output } = await git(tree, 'push', server.remote(), 'refs/tags/blob')
  expect(exitCode).toBe(1)
  expect(output).toContain('more than the 1 MB of the push rule max_file_size')
})

test('a push of tags and deletions is checked as well, and one without new commits is accepted', async () => {
  const scene = await openProject()
  const { server, tree, setRule } = scene
  await setRule({ commit_message_regex: 'never' })
  await gitOk(tree, 'push', server.remote(), 'HEAD:refs/heads/same')
  await gitOk(tree, 'push', server.remote(), ':refs/heads/same')
  await commit(tree, { 'notes.txt': 'n' })
  await gitOk(tree, 'tag', '-a', '-m', 'x', 'v2')
  const { exitCode, output } = await git(tree, 'push', server.remote(), 'v2')
  expect(exitCode).toBe(1)
  expect(output).toContain("does not match the push rule commit_message_regex 'never'")
})

test('authors must be users, committers the one who pushes, and commits signed, if rules say so', async () => {
  const scene = await openProject()
  const { tree, setRule } = scene
  await commit(tree, { b: 'b' })
  await gitOk(tree, 'commit', '--quiet', '--amend', '--no-edit', '--author=Eve <eve@example.org>')
  await setRule({ member_check: true })
  expect(await push(scene)).toEqual([
    "Commit ID: the author 'eve@example.org' is no user, as the push rule member_check requires.",
  ])
  await setRule({ commit_committer_check: true })
  expect(await push(scene)).toEqual([])
  await commit(tree, { c: 'c' })
  await gitOk(tree, '-c', 'user.name=x', 'commit', '--quiet', '--amend', '-m', 'fake\n\ngpgsig -----BEGIN')
  await setRule({ reject_unsigned_commits: true })
  expect(await push(scene)).toEqual([
    'Commit ID: the commit is not signed, as the push rule reject_unsigned_commits requires.',
  ])
  await commitWithHeader(tree, 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----')
  expect(await push(scene)).toEqual([])
})

test('a header that looks like a changed file hides no commit', async () => {
  const scene = await openProject()
  const { tree, setRule } = scene
  await setRule({ commit_message_negative_regex: 'secret', prevent_secrets: true })
  await commit(tree, { b: 'b' })
  await gitOk(tree, 'commit', '--quiet', '--amend', '-m', 'A secret')
  await gitOk(tree, 'commit', '--quiet', '--allow-empty', '-m', 'Empty')
  const [headers = ''] = (await gitOk(tree, 'cat-file', 'commit', 'HEAD')).split('\n\n')
  const id = '1'.repeat(40)
  await replaceCommit(tree, `${headers}\n:000000 100644 ${id} ${id} A\n`)
  expect(await push(scene)).toEqual([
    "Commit ID: the message matches the push rule commit_message_negative_regex 'secret'.",
  ])
})

test('a tag is not deleted if the rule forbids it', async () => {
  const { server, tree, setRule } = await openProject()
  await gitOk(tree, 'tag', 'v1')
  await gitOk(tree, 'push', server.remote(), 'v1')
  await setRule({ deny_delete_tag: true })
  const { exitCode, output } = await git(tree, 'push', server.remote(), ':refs/tags/v1')
  expect(exitCode).toBe(1)
  expect(output).toContain('You cannot delete a tag of this project (push rule deny_delete_tag).')
  await setRule({})
  await gitOk(tree, 'push', server.remote(), ':refs/tags/v1')
})

test('a push of many commits gets some of the reasons', async () => {
  const scene = await openProject()
  const { tree, setRule } = scene
  await addCommits(tree, 25)
  await setRule({ commit_message_regex: '^never$' })
  const reasons = await push(scene)
  expect(reasons).toHaveLength(21)
  expect(reasons.at(-1)).toBe('Further commits or files break push rules.')
  await setRule({ commit_message_regex: '.' })
  expect(await push(scene)).toEqual([])
})
