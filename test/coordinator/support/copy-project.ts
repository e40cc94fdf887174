import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { onTestFinished, vi } from 'vitest'

import { buildArchive } from '../../../src/coordinator/hosting/projects/export/build-archive.js'
import { startImport } from '../../../src/coordinator/hosting/projects/import/start-import.js'
import { findProject } from '../../../src/coordinator/hosting/projects/store.js'
import { UploadedFile } from '../../../src/coordinator/http/parameters/types.js'
import { transferParts } from '../../../src/coordinator/start/services/archive-parts.js'
import type { Services } from '../../../src/coordinator/start/services/services.js'
import { tempDir } from '../../support/temp-dir.js'
import { NO_IMPORTS } from './no-imports.js'
import type { Person } from './test-app.js'

/** The archive of a project, as an export makes it. */
export async function archiveOf(services: Services, projectId: number): Promise<Buffer> {
  const project = await findProject(services.database, projectId)
  if (!project) throw new Error('The project is gone')
  const deps = { ...services, parts: transferParts(services) }
  return buffer(await buildArchive(deps, project, null, await tempDir(), new AbortController().signal))
}

/** Imports an archive as a new project of the user. Returns its ID, the result and what could not be imported. */
export async function importArchiveInto(
  services: Services,
  archive: Buffer,
  user: Person,
  path: string,
): Promise<{ id: number; status: string; error: string | null; problems: string[] }> {
  const spooled = {
    size: archive.length,
    open: () => Readable.from([archive]),
    remove: async () => undefined,
  }
  const file = new UploadedFile('file.tar.gz', 'application/octet-stream', spooled)
  const deps = { ...services, imports: NO_IMPORTS }
  const { id } = await startImport(deps, { file, path }, user)
  const stop = new AbortController()
  const running = services.imports.run(stop.signal)
  const end = async () => {
    stop.abort()
    await running
  }
  onTestFinished(end)
  const { database } = services
  await vi.waitFor(
    async () => {
      const pending = await database
        .selectFrom('project_import')
        .select('id')
        .where('project_id', '=', id)
        .execute()
      if (pending.length > 0) throw new Error('The import is not finished')
    },
    { timeout: 60_000, interval: 20 },
  )
  await end()
  const project = await database
    .selectFrom('project')
    .select(['import_status', 'import_error'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const problems = await database
    .selectFrom('project_import_problem')
    .selectAll()
    .where('project_id', '=', id)
    .orderBy('id')
    .execute()
  return {
    id,
    status: project.import_status,
    error: project.import_error,
    problems: problems.map(({ part, line, message }) => `${part} ${line} ${message}`),
  }
}
