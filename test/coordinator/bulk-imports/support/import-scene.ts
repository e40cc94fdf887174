import { importEntities } from '../../../../src/coordinator/bulk-imports/import-entities.js'
import type { BulkImportDeps } from '../../../../src/coordinator/bulk-imports/run.js'
import type { StartImport } from '../../../../src/coordinator/bulk-imports/schema.js'
import { startImport } from '../../../../src/coordinator/bulk-imports/start-import.js'
import { listHostingOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { transferParts } from '../../../../src/coordinator/start/services/archive-parts.js'
import { type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { openPlanningApi } from '../../planning/support/planning-api.js'
import type { Person } from '../../support/test-app.js'

export interface ImportReport {
  id: number
  status: string
  error: string | null
  totals: Record<string, number | string>[]
  entities: { source_full_path: string; status: string; error: string | null; step: string | null }[]
  items: { kind: string; name: string | null; outcome: string; reason: string }[]
}

/** A coordinator into which groups are imported. Servers on this machine are allowed as sources. */
export async function openDestination(open: OpenDatabase = openSqlite, { allowLocalNetwork = true } = {}) {
  const api = await openPlanningApi(open, {
    listHosting: listHostingOperations,
    settings: { egress: { allowLocalNetwork } },
  })
  const { services, ok } = api
  const deps: BulkImportDeps = {
    ...services,
    parts: transferParts(services),
    onFilled: () => undefined,
    retryDelay: 1,
  }
  /** Without the limit of the operation for each user. */
  const start = (source: string, token: string, more: object = {}, as: Person = api.root) =>
    startImport({ ...services, wake: () => undefined }, { ...requestFor(source, token), ...more }, as)
  /** Starts the import and makes it; the report. */
  const imported = async (source: string, token: string, more: object = {}, as?: Person) => {
    const { id } = await start(source, token, more, as)
    await importEntities(deps, id, new AbortController().signal)
    return ok<ImportReport>(`GET /bulk_imports/${id}/report`, undefined, as)
  }
  return { ...api, deps, start, imported }
}

/** The same for all tests of a file. */
export function destinationForFile() {
  return sceneForFile((open) => openDestination(open))
}

/** The group `acme` of the source, as the top-level group `copy`. */
export function requestFor(url: string, access_token: string, entity: object = {}): StartImport {
  return {
    configuration: { url, access_token },
    entities: [
      {
        source_type: 'group_entity',
        source_full_path: 'acme',
        destination_slug: 'copy',
        destination_namespace: '',
        ...entity,
      },
    ],
  }
}

/** Numbers of a report by kind, without zeros: `{ issues: { imported: 3 } }`. */
export function totalsOf({ totals }: ImportReport): Record<string, Record<string, number>> {
  return Object.fromEntries(
    totals.map(({ kind, ...counts }) => [
      kind,
      Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
    ]),
  ) as Record<string, Record<string, number>>
}
