import { performBridgeTask } from '../../../../../src/coordinator/ci/engine/downstream/perform-task.js'
import type { EngineDeps } from '../../../../../src/coordinator/ci/engine/engine-deps.js'
import { findBridgeTasks } from '../../../../../src/coordinator/ci/engine/hierarchy/bridge-task-store.js'
import { findProject } from '../../../../../src/coordinator/ci/engine/pipeline-store.js'
import type { Database } from '../../../../../src/coordinator/database/connect.js'
import type {
  PipelineRow,
  ProjectRow,
  UserRow,
} from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import type { TestEngine } from './engine.js'
import { NOTHING_OUTSIDE } from './nothing-outside.js'
import { addProject } from './records.js'

/** Performs the stored bridge tasks until none is left. */
export async function runBridgeTasks(deps: EngineDeps): Promise<void> {
  for (
    let [task] = await findBridgeTasks(deps.database);
    task;
    [task] = await findBridgeTasks(deps.database)
  ) {
    await performBridgeTask(deps, task)
  }
}

/** Pipelines that jobs of this one started, oldest first. */
export function downstreamOf(engine: TestEngine, pipeline: PipelineRow): Promise<PipelineRow[]> {
  return engine.deps.database
    .selectFrom('pipeline')
    .innerJoin('downstream_pipeline', 'downstream_pipeline.pipeline_id', 'pipeline.id')
    .selectAll('pipeline')
    .where('upstream_pipeline_id', '=', pipeline.id)
    .orderBy('pipeline.id')
    .execute()
}

/** The only pipeline that a job of this one started. */
export async function onlyDownstream(engine: TestEngine, pipeline: PipelineRow): Promise<PipelineRow> {
  const found = await downstreamOf(engine, pipeline)
  const [first] = found
  if (!first || found.length > 1) throw new Error(`There are ${found.length} downstream pipelines`)
  return first
}

/** Makes the projects of the store available to trigger jobs. `levels`: access levels other than owner, by project ID. */
export function withProjects(engine: TestEngine, levels: ReadonlyMap<number, number> = new Map()): void {
  const { database } = engine.deps
  const projectOf = (store: Database, path: string) =>
    store.selectFrom('project').selectAll().where('full_path', '=', path).executeTakeFirst()
  engine.deps.outside = {
    ...NOTHING_OUTSIDE,
    findProject: (path) => projectOf(database, path),
    projectWithJobs: async (store, _user, path) => {
      const project = await projectOf(store, path)
      const accessLevel = project ? (levels.get(project.id) ?? 50) : 0
      return project && accessLevel >= 20 ? { project, accessLevel } : undefined
    },
    levelOf: async (_user: UserRow | undefined, project: ProjectRow) => levels.get(project.id) ?? 50,
  }
}

/** A second project, which has the path `lib/lib`, and this CI file. */
export async function addLibrary(engine: TestEngine, ciFile = 'build: { script: x }'): Promise<ProjectRow> {
  const { database } = engine.deps
  const { id } = await addProject(database, engine.user)
  await database.updateTable('project').set({ full_path: 'lib/lib' }).where('id', '=', id).execute()
  engine.repositories.files.set(`${id}:.gitlab-ci.yml`, ciFile)
  return findProject(database, id)
}
