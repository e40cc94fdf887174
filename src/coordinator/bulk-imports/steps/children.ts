import { inTransaction } from '../../database/transaction.js'
import { BulkImportError, SourceRecordError, UnavailableError } from '../errors.js'
import { apiPath, destinationPath, type EntityRun, record, type Step } from '../run.js'
import { SourceGroup, SourceProject, sourceReader } from '../source/records.js'
import { countEntities, insertEntities } from '../store.js'

/** Depth of groups that the import follows, and number of groups and projects of one import. */
const MAX_DEPTH = 20
const MAX_ENTITIES = 2000

interface Child {
  source_id: number
  source_full_path: string
  destination_slug: string
}

interface Children {
  name: string
  path: string
  source_type: 'group_entity' | 'project_entity'
  read: (value: unknown) => Child
}

const readGroup = sourceReader(SourceGroup)
const readProject = sourceReader(SourceProject)

export const subgroupStep: Step = childStep({
  name: 'subgroups',
  path: 'subgroups?order_by=id&sort=asc',
  source_type: 'group_entity',
  read: (value) => {
    const { id, full_path, path } = readGroup(value)
    return { source_id: id, source_full_path: full_path, destination_slug: path }
  },
})

export const projectStep: Step = childStep({
  name: 'projects',
  path: 'projects?include_subgroups=false&with_shared=false&order_by=id&sort=asc',
  source_type: 'project_entity',
  read: (value) => {
    const { id, path_with_namespace, path } = readProject(value)
    return { source_id: id, source_full_path: path_with_namespace, destination_slug: path }
  },
})

/** Adds what is in a group to the import. */
function childStep(children: Children): Step {
  const { name, path } = children
  return {
    name,
    run: async (run) => {
      if (children.source_type === 'project_entity' && !run.entity.migrate_projects) return
      try {
        for await (const { records } of run.client.list(`${apiPath(run)}/${path}`)) {
          const found: Child[] = []
          for (const value of records) {
            const child = await readChild(run, children, value)
            if (child) found.push(child)
          }
          await addChildren(run, children, found)
        }
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error
        await record(run, { kind: name, source_key: '*', outcome: 'left_out', reason: error.message })
      }
    },
  }
}

async function readChild(
  run: EntityRun,
  { name, read }: Children,
  value: unknown,
): Promise<Child | undefined> {
  try {
    return read(value)
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error
    await record(run, { kind: name, source_key: '#', outcome: 'failed', reason: error.message })
    return undefined
  }
}

async function addChildren(
  run: EntityRun,
  { source_type }: Children,
  found: readonly Child[],
): Promise<void> {
  const { deps, entity, bulkImport } = run
  if (found.length === 0) return
  if (entity.depth >= MAX_DEPTH)
    throw new BulkImportError(`The source has more than ${MAX_DEPTH} levels of groups`)
  if ((await countEntities(deps.database, bulkImport.id)) + found.length > MAX_ENTITIES) {
    throw new BulkImportError(
      `An import has at most ${MAX_ENTITIES} groups and projects: import subgroups one by one`,
    )
  }
  const common = {
    bulk_import_id: bulkImport.id,
    parent_id: entity.id,
    source_type,
    destination_namespace: destinationPath(entity),
    migrate_projects: entity.migrate_projects,
    migrate_memberships: entity.migrate_memberships,
    depth: entity.depth + 1,
  }
  await inTransaction(deps.database, (tx) =>
    insertEntities(
      tx,
      found.map((child) => ({ ...common, ...child })),
    ),
  )
}
