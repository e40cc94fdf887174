import { type DueInProject, listDueOfProjects } from '../ci/pipelines/retention/list-due-of-projects.js'
import { connectDatabase } from '../database/connect.js'
import type { CoordinatorSettings } from './config/settings.js'

/** What the limits of retention would delete now in the installation of the settings. */
export async function listDue({
  database: settings,
  retention,
}: Pick<CoordinatorSettings, 'database' | 'retention'>): Promise<DueInProject[]> {
  const database = connectDatabase(settings)
  try {
    return await listDueOfProjects(database, retention)
  } finally {
    await database.destroy()
  }
}
