import { expect, test, vi } from 'vitest'

import { deleteProjectIf } from '../../../../src/coordinator/hosting/projects/deletion/delete-project.js'
import { forkProject } from '../../../../src/coordinator/hosting/projects/fork/fork-project.js'
import { projectDeletion } from '../../../../src/coordinator/start/services/project-deletion.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { archiveOf, importArchiveInto } from '../../support/copy-project.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { packArchive, projectFile } from '../../support/project-archive.js'
import { download, type LfsScene, objectOf, startLfs, upload } from './lfs-client.js'

const CONTENT = 'a large file\n'
const { oid, size } = objectOf(CONTENT)

const deletion = ({ database, services }: LfsScene) => ({ database, ...projectDeletion(services) })

const blobExists = ({ services }: LfsScene, projectId: number) =>
  services.blobs.exists(`projects/${projectId}/lfs/${oid}`)

const person = ({ owner, ownerToken }: LfsScene) => ({ ...owner, token: ownerToken })

async function fork(server: LfsScene) {
  const { services, database, project, owner } = server
  const deps = { ...services, imports: NO_IMPORTS }
  const { id } = await forkProject(deps, project, { path: 'copy' }, owner)
  const stop = new AbortController()
  const running = services.imports.run(stop.signal)
  await vi.waitFor(
    async () => {
      const found = await database
        .selectFrom('project')
        .select('import_status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(found.import_status).toBe('finished')
    },
    { timeout: 60_000, interval: 20 },
  )
  stop.abort()
  await running
  return id
}

describeOnDatabase('copies of objects', (open) => {
  test('a fork has the objects of its source, also when the source is deleted', async () => {
    const server = await startLfs(open)
    await upload(server, CONTENT)
    await fork(server)
    await deleteProjectIf(deletion(server), server.project.id)
    expect(await download(server, oid, { project: 'ada/copy' })).toMatchObject({ status: 200, text: CONTENT })
  })

  testAtNight('the objects and locks of a deleted project are deleted', async () => {
    const server = await startLfs(open)
    await upload(server, CONTENT)
    await server.lfs('POST info/lfs/locks', { body: { path: 'a' } })
    const copy = await fork(server)
    expect(await blobExists(server, server.project.id)).toBe(true)
    await deleteProjectIf(deletion(server), server.project.id)
    expect(await blobExists(server, server.project.id)).toBe(false)
    const { database } = server
    expect(await database.selectFrom('lfs_object').select('project_id').execute()).toEqual([
      { project_id: copy },
    ])
    expect(await database.selectFrom('lfs_lock').select('id').execute()).toEqual([])
  })

  testAtNight('an archive has the objects of the project, and an import restores them', async () => {
    const server = await startLfs(open)
    await upload(server, CONTENT)
    const archive = await archiveOf(server.services, server.project.id)
    await deleteProjectIf(deletion(server), server.project.id)
    const imported = await importArchiveInto(server.services, archive, person(server), 'copy')
    expect(imported).toMatchObject({ status: 'finished', problems: [] })
    expect(await download(server, oid, { project: 'ada/copy' })).toMatchObject({ status: 200, text: CONTENT })
  })
})

testAtNight('an import stores no object whose content is missing or not its own', async () => {
  const server = await startLfs()
  const other = objectOf('another file')
  const long = objectOf('a third file')
  const lines = [{ oid, size }, other, long, { oid: `../${oid}`, size }, { oid: oid.slice(1), size }]
  const archive = await packArchive([
    projectFile(),
    { name: 'lfs_objects.ndjson', content: lines.map((line) => JSON.stringify(line)).join('\n') },
    { name: `lfs/${oid}`, content: CONTENT.toUpperCase() },
    { name: `lfs/${long.oid}`, content: 'a third file, and more' },
  ])
  const imported = await importArchiveInto(server.services, archive, person(server), 'copy')
  expect(imported.status).toBe('finished')
  expect(imported.problems).toEqual([
    expect.stringMatching(/^lfs_objects 1 .*does not have the SHA-256/),
    expect.stringMatching(/^lfs_objects 2 .*is not in the archive/),
    expect.stringMatching(/^lfs_objects 3 .*does not have 12 bytes/),
    expect.stringMatching(/^lfs_objects 4 .*oid is invalid/),
    expect.stringMatching(/^lfs_objects 5 .*oid is invalid/),
  ])
  expect(await server.database.selectFrom('lfs_object').selectAll().execute()).toEqual([])
  expect(await blobExists(server, imported.id)).toBe(false)
})
