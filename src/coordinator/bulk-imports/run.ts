import type { Logger } from '../../lib/logger.js'
import type { Project, User } from '../access/caller.js'
import type { SecretBox } from '../crypto/secret-box.js'
import type { Database } from '../database/connect.js'
import type { NamespaceRow } from '../database/stores/namespace-store.js'
import type { EgressClient } from '../egress/egress-client.js'
import type { Repositories } from '../hosting/repositories/repositories.js'
import type { TransferPart } from '../http/archive-part.js'
import { insertItem, type NewItem } from './item-store.js'
import type { SourcePeople } from './source-people.js'
import type { SourceClient } from './source/source-client.js'
import type { BulkImport, BulkImportEntity } from './store.js'

export interface BulkImportDeps {
  database: Database
  secrets: SecretBox
  egress: Pick<EgressClient, 'send' | 'addressOf' | 'refuses'>
  repositories: Pick<
    Repositories,
    'path' | 'withSlot' | 'listRefs' | 'setHead' | 'create' | 'delete' | 'resolveCommit' | 'resolveRef'
  >
  /** The kinds of objects in archives of projects, which write what was read. */
  parts: readonly TransferPart[]
  logger: Logger
  /** Called when a repository is filled. */
  onFilled: (projectId: number) => void
  /** See `SourceClientOptions`. */
  retryDelay?: number
}

/** The import of one group or project. */
export interface EntityRun {
  deps: BulkImportDeps
  bulkImport: BulkImport
  entity: BulkImportEntity
  /** As of the latest step. */
  importer: User
  client: SourceClient
  people: SourcePeople
  /** Access token of the source. */
  token: string
  signal: AbortSignal
  /** The copy; undefined until it is created, and in a dry run of something that does not exist yet. */
  group?: NamespaceRow
  project?: Project
  /**
   * Stores how far the import has come, and reads everything again that may have changed. Throws `ImportGoneError` if the
   * import was canceled, and `BulkImportError` if the user may no longer import.
   */
  checkpoint: (progress: Pick<BulkImportEntity, 'step' | 'position'>) => Promise<void>
}

/** One step of the import of a group or project. Those that are made again skip what is recorded as done. */
export interface Step {
  name: string
  run: (run: EntityRun) => Promise<void>
}

export function record(run: EntityRun, item: NewItem): Promise<void> {
  return insertItem(run.deps.database, run.entity.id, item)
}

/** Full path of the copy. */
export function destinationPath({
  destination_namespace: namespace,
  destination_slug: slug,
}: Pick<BulkImportEntity, 'destination_namespace' | 'destination_slug'>): string {
  return namespace === '' ? slug : `${namespace}/${slug}`
}

/** The path of the group or project in the API of the source. */
export function apiPath({ entity }: EntityRun): string {
  const collection = entity.source_type === 'group_entity' ? 'groups' : 'projects'
  return `/${collection}/${entity.source_id ?? encodeURIComponent(entity.source_full_path)}`
}
