import { createGroup } from '../../accounts/groups/groups.js'
import type { NamespaceRow } from '../../database/stores/namespace-store.js'
import { isMoreOpen, unrestricted } from '../../hosting/projects/settings/visibility.js'
import { ApiError } from '../../http/errors.js'
import { checkDestination, namespaceAt } from '../destination.js'
import { BulkImportError } from '../errors.js'
import { apiPath, destinationPath, type EntityRun, record, type Step } from '../run.js'
import { problemIn, SourceGroup, sourceReader } from '../source/records.js'
import { updateEntity, wasImportedFrom } from '../store.js'

const readGroup = sourceReader(SourceGroup)

/** Creates the group, or finds the copy that an earlier import has made of it. */
export const createGroupStep: Step = {
  name: 'group',
  run: async (run) => {
    const source = readGroup(await run.client.get(apiPath(run)))
    run.entity = { ...run.entity, source_id: source.id }
    await updateEntity(run.deps.database, run.entity.id, { source_id: source.id })
    const item = { kind: 'groups', source_key: String(source.id), name: source.full_path }
    if (run.group) return record(run, { ...item, outcome: 'imported' })
    const present = await groupThere(run)
    if (present) await updateEntity(run.deps.database, run.entity.id, { group_id: present.id })
    else await create(run, source)
    await record(run, { ...item, outcome: present ? 'present' : 'imported' })
  },
}

/** The group at the destination. Throws `BulkImportError` if it is no copy of this group. */
async function groupThere(run: EntityRun): Promise<NamespaceRow | undefined> {
  const path = destinationPath(run.entity)
  const present = await namespaceAt(run.deps.database, path)
  if (!present) return undefined
  const isCopy = await wasImportedFrom(run.deps.database, run.bulkImport, run.entity, {
    group_id: present.id,
  })
  if (isCopy) return present
  throw new BulkImportError(`${path} exists and is no copy of this group: choose another destination_slug`)
}

async function create(run: EntityRun, { name, description, visibility }: SourceGroup): Promise<void> {
  const { deps, entity, importer, bulkImport } = run
  try {
    // In a dry run, groups above may be missing, too.
    if (entity.parent_id === null || !bulkImport.dry_run)
      await checkDestination(deps.database, entity, importer)
    if (bulkImport.dry_run) return
    const parent = await namespaceAt(deps.database, entity.destination_namespace)
    const lowered = parent && isMoreOpen(visibility, parent.visibility) ? parent.visibility : visibility
    const onCreated = async (
      ...[tx, { id }]: Parameters<NonNullable<Parameters<typeof createGroup>[0]['onCreated']>>
    ) => void (await updateEntity(tx, entity.id, { group_id: id }))
    await createGroup(
      { database: deps.database, secrets: deps.secrets, onCreated },
      {
        name,
        path: entity.destination_slug,
        description: description ?? null,
        visibility: await unrestricted(deps.database, lowered, importer),
        ...(parent && { parent_id: parent.id }),
      },
      importer,
    )
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    throw new BulkImportError(`The group cannot be created: ${problemIn(error)}`, { cause: error })
  }
}
