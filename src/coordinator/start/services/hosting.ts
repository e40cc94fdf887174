import { join } from 'node:path'

import { MirrorWorker } from '../../hosting/mirrors/mirror-worker.js'
import { deleteProjectIf } from '../../hosting/projects/deletion/delete-project.js'
import { ExportWorker } from '../../hosting/projects/export/export-worker.js'
import { ImportWorker } from '../../hosting/projects/import/import-worker.js'
import { importWiki } from '../../hosting/wikis/import-wiki.js'
import type { CoordinatorSettings } from '../config/settings.js'
import { transferParts } from './archive-parts.js'
import type { BaseServices } from './base.js'
import { projectDeletion } from './project-deletion.js'

/** Projects that are copied from and to elsewhere. */
export interface HostingServices {
  /** Pushes to remote mirrors. */
  mirrors: MirrorWorker
  /** Fills the repositories of forks and imports. */
  imports: ImportWorker
  /** Makes archives of projects. */
  exports: ExportWorker
}

export function createHostingServices(sources: BaseServices): HostingServices {
  const { settings, database, secrets, repositories, wikiRepositories, blobs, avatars, logger } = sources
  const { egress, statistics } = sources
  const transfer = { parts: transferParts(sources), workFolder: transferFolder(settings) }
  const addressOf = egress.addressOf.bind(egress)
  return {
    mirrors: new MirrorWorker({ database, secrets, repositories, logger, addressOf }),
    imports: new ImportWorker({
      database,
      secrets,
      repositories,
      wikiRepositories,
      addWiki: (projectId, fill) => importWiki({ database, wikiRepositories }, projectId, fill),
      blobs,
      avatars,
      logger,
      ...transfer,
      addressOf,
      onFilled: (projectId) => statistics.record(projectId),
      deleteProjectIf: (id, mayBeDeleted) =>
        deleteProjectIf({ database, ...projectDeletion(sources) }, id, mayBeDeleted),
    }),
    exports: new ExportWorker({ database, repositories, wikiRepositories, blobs, logger, ...transfer }),
  }
}

/** Temporary files of running exports and imports of projects. */
export function transferFolder({ dataDir }: Pick<CoordinatorSettings, 'dataDir'>): string {
  return join(dataDir, 'transfers')
}
