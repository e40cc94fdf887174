import { access } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { createMissingRepositories } from '../../../../../src/coordinator/hosting/repositories/housekeeping/create-missing-repositories.js'
import { startGitServer } from '../git-server.js'

test('a project whose coordinator was killed before it had a repository gets one, an import does not', async () => {
  const server = await startGitServer()
  const { database, repositories, project } = server
  const later = Date.now() + 120_000
  const going = new AbortController().signal
  await repositories.delete(project.id)
  const waiting = {
    project_id: project.id,
    user_id: server.owner.id,
    source_url_encrypted: 'x',
    created_at: later,
  }
  await database.insertInto('project_import').values(waiting).execute()
  await createMissingRepositories(server, going, later)
  await expect(access(repositories.path(project.id))).rejects.toThrow('ENOENT')
  await database.deleteFrom('project_import').execute()
  await createMissingRepositories(server, going) // perhaps it is being made just now
  await expect(access(repositories.path(project.id))).rejects.toThrow('ENOENT')
  await createMissingRepositories(server, going, later)
  expect(await repositories.isEmpty(project.id)).toBe(true)
})

test('a coordinator that stops leaves the rest of them for its next start', async () => {
  const server = await startGitServer()
  const { repositories, project } = server
  await repositories.delete(project.id)
  await createMissingRepositories(server, AbortSignal.abort(), Date.now() + 120_000)
  await expect(access(repositories.path(project.id))).rejects.toThrow('ENOENT')
})
