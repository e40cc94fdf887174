import type { TestProject } from 'vitest/node'

import { servePostgresOnDemand } from './postgres-on-demand.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Port on loopback where test workers ask for the PostgreSQL server (`postgres-on-demand.ts`). */
    postgresOnDemand: number
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const onDemand = await servePostgresOnDemand(process.env.SWITCHYARD_TEST_DATABASE_URL)
  project.provide('postgresOnDemand', onDemand.port)
  return () => onDemand.stop()
}
