import { Type } from 'typebox'

import { isRecord } from '../../../lib/is-record.js'
import type { Project } from '../../access/caller.js'
import { setProjectColumns } from '../../database/stores/project-store.js'
import { sameText } from '../../database/text.js'
import { inTransaction } from '../../database/transaction.js'
import { createProjectRow, newProjectSettings } from '../../hosting/projects/create/create-project.js'
import { CreateProject } from '../../hosting/projects/settings/parameters.js'
import { closed, unrestricted } from '../../hosting/projects/settings/visibility.js'
import { ApiError } from '../../http/errors.js'
import { readerFor } from '../../http/parameters/compile-parameters.js'
import { checkDestination, namespaceAt } from '../destination.js'
import { BulkImportError } from '../errors.js'
import { apiPath, destinationPath, type EntityRun, record, type Step } from '../run.js'
import { problemIn, SourceProject, sourceReader } from '../source/records.js'
import { updateEntity, wasImportedFrom } from '../store.js'

const readProject = sourceReader(SourceProject)

/** Creates the project with its settings, or finds the copy that an earlier import has made of it. */
export const createProjectStep: Step = {
  name: 'project',
  run: async (run) => {
    const value = await run.client.get(apiPath(run))
    const source = readProject(value)
    run.entity = { ...run.entity, source_id: source.id }
    await updateEntity(run.deps.database, run.entity.id, { source_id: source.id })
    const item = { kind: 'projects', source_key: String(source.id), name: source.path_with_namespace }
    if (run.project) return record(run, { ...item, outcome: 'imported' })
    const present = await projectThere(run)
    if (present) await adopt(run, present)
    else await create(run, source, isRecord(value) ? value : {})
    await record(run, { ...item, outcome: present ? 'present' : 'imported' })
  },
}

/** The project at the destination. Throws `BulkImportError` if it is no copy of this project. */
async function projectThere(run: EntityRun): Promise<Project | undefined> {
  const { database } = run.deps
  const path = destinationPath(run.entity)
  const present = await database
    .selectFrom('project')
    .selectAll()
    .where(({ ref }) => sameText(ref('full_path'), path))
    .executeTakeFirst()
  if (!present) return undefined
  if (await wasImportedFrom(database, run.bulkImport, run.entity, { project_id: present.id })) return present
  throw new BulkImportError(`${path} exists and is no copy of this project: choose another destination`)
}

/** Continues to fill the copy, which is ended as a new one if an earlier import could not fill it. */
async function adopt({ deps, entity, bulkImport }: EntityRun, { id, import_status }: Project): Promise<void> {
  await inTransaction(deps.database, async (tx) => {
    await updateEntity(tx, entity.id, { project_id: id })
    if (bulkImport.dry_run || import_status !== 'failed') return
    await setProjectColumns(tx, id, { import_status: 'started', import_error: null })
  })
}

async function create(run: EntityRun, source: SourceProject, value: Record<string, unknown>): Promise<void> {
  const { deps, entity, importer, bulkImport } = run
  try {
    if (entity.parent_id === null || !bulkImport.dry_run)
      await checkDestination(deps.database, entity, importer)
    if (bulkImport.dry_run) return
    const namespace = await namespaceAt(deps.database, entity.destination_namespace)
    if (!namespace)
      throw new BulkImportError(`The group ${entity.destination_namespace} does not exist any more`)
    const params = {
      ...(await settingsIn(run, value)),
      name: source.name,
      path: entity.destination_slug,
      namespace_id: namespace.id,
      visibility: await unrestricted(deps.database, closed(source.visibility, namespace), importer),
    }
    const defaults = await newProjectSettings(deps.database)
    await inTransaction(deps.database, async (tx) => {
      const { id } = await createProjectRow(tx, deps, params, {
        creator: importer,
        owner: importer,
        defaults,
      })
      await setProjectColumns(tx, id, { import_status: 'started', import_type: 'git' })
      await updateEntity(tx, entity.id, { project_id: id })
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    throw new BulkImportError(`The project cannot be created: ${problemIn(error)}`, { cause: error })
  }
}

/** Settings of the source that mean the same here. Access levels of features, merges and pipelines; nothing that names users. */
const SETTINGS = [
  ...(['description', 'topics', 'merge_method', 'squash_option', 'ci_config_path', 'build_timeout'] as const),
  ...(['issues_access_level', 'merge_requests_access_level', 'repository_access_level'] as const),
  ...([
    'builds_access_level',
    'wiki_access_level',
    'snippets_access_level',
    'releases_access_level',
  ] as const),
  ...(['environments_access_level'] as const),
  ...(['only_allow_merge_if_pipeline_succeeds', 'allow_merge_on_skipped_pipeline'] as const),
  ...(['only_allow_merge_if_all_discussions_are_resolved', 'resolve_outdated_diff_discussions'] as const),
  ...(['remove_source_branch_after_merge', 'autoclose_referenced_issues', 'request_access_enabled'] as const),
  ...([
    'ci_default_git_depth',
    'build_git_strategy',
    'auto_cancel_pending_pipelines',
    'public_jobs',
  ] as const),
  ...([
    'merge_commit_template',
    'squash_commit_template',
    'suggestion_commit_message',
    'lfs_enabled',
  ] as const),
]

const READERS = SETTINGS.map((name) => ({
  name,
  read: readerFor(Type.Object({ [name]: CreateProject.properties[name] })),
}))

/** A setting with a value that does not exist here has the default. */
async function settingsIn(run: EntityRun, value: Record<string, unknown>): Promise<Partial<CreateProject>> {
  const settings: Partial<CreateProject> = {}
  for (const { name, read } of READERS) {
    if (value[name] === undefined || value[name] === null) continue
    try {
      Object.assign(settings, read({ [name]: value[name] }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      await record(run, {
        kind: 'settings',
        source_key: name,
        name,
        outcome: 'failed',
        reason: problemIn(error),
      })
    }
  }
  return settings
}
