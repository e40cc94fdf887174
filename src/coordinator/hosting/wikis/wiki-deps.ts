import type { Database } from '../../database/connect.js'
import type { Repositories } from '../repositories/repositories.js'
import type { WikiRecords } from './wiki-records.js'

export interface WikiDeps {
  database: Database
  /** Repositories of wikis, by the IDs of their projects or groups. */
  wikiRepositories: Repositories
  /** By default those of the wikis of projects. */
  records?: WikiRecords
}
