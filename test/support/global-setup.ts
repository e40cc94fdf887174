import type { TestProject } from 'vitest/node'

import { ensureGitLfs } from '../../scripts/setup/git-lfs.mjs'
import { ensureOpenSsh } from '../../scripts/setup/openssh.mjs'
import { servePostgresOnDemand } from './postgres-on-demand.js'
import { makeSqliteTemplate } from './sqlite-template.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Port on loopback where test workers ask for the PostgreSQL server (`postgres-on-demand.ts`). */
    postgresOnDemand: number
    /** The file of a migrated empty store, to be copied (`sqlite-template.ts`). */
    sqliteTemplate: string
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await ensureGitLfs()
  await ensureOpenSsh()
  const onDemand = await servePostgresOnDemand(process.env.SWITCHYARD_TEST_DATABASE_URL)
  const sqlite = await makeSqliteTemplate().catch(async (error: unknown) => {
    // Otherwise the run would wait for the server of a failed set-up.
    await onDemand.stop()
    throw error
  })
  project.provide('postgresOnDemand', onDemand.port)
  project.provide('sqliteTemplate', sqlite.file)
  return async () => {
    await sqlite.remove()
    await onDemand.stop()
  }
}
