import type { Insertable } from 'kysely'

import type { MergeRequestRow } from '../../../../../src/coordinator/ci/engine/merge-request-store.js'
import type { MergeRequestTable } from '../../../../../src/coordinator/database/tables/merge-requests.js'
import type { ProjectRow, UserRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { listCiOperations } from '../../../../../src/coordinator/start/operations/ci.js'
import { listPlanningOperations } from '../../../../../src/coordinator/start/operations/planning.js'
import type { OpenDatabase } from '../../../../support/databases.js'
import { sceneForFile } from '../../../../support/scene-for-file.js'
import { FakeRepositories } from '../../../ci/engine/support/fake-repositories.js'
import { addMergeRequest } from '../../../ci/engine/support/merge-requests.js'
import { addProject } from '../../../ci/engine/support/records.js'
import { addPerson, type Person } from '../../../support/test-app.js'
import { openTestApp, openTestServices } from '../../../support/test-coordinator.js'

type StatusAndBody = [status: number, body: unknown]

/** A CI file with one job, which runs in every pipeline. */
const FILE = 'job: {script: x, rules: [{when: always}]}'

/** Opens the API once for all tests of a file. Each gets the rows and the CI file of its start. */
export function pipelineSceneForFile() {
  const shared = sceneForFile(openPipelineScene)
  return async (open?: OpenDatabase) => {
    const scene = await shared(open)
    scene.repositories.reset()
    scene.repositories.ciFile = FILE
    return scene
  }
}

/** The API with a public project, whose commits all have the same CI file. */
async function openPipelineScene(open: OpenDatabase) {
  const repositories = new FakeRepositories()
  repositories.ciFile = FILE
  const services = await openTestServices({ open, overrides: { repositories } })
  const { database, engine } = services
  const app = openTestApp(services, {
    operations: (all, deps) => [...listPlanningOperations(all, deps), ...listCiOperations(all, deps)],
  })
  const rowOf = ({ id }: Person): Promise<UserRow> =>
    database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const root = await addPerson(database, 'root', { admin: true })
  const user = await rowOf(root)
  const newProject = async (visibility: ProjectRow['visibility']): Promise<ProjectRow> => {
    const project = await addProject(database, user)
    await database.updateTable('project').set({ visibility }).where('id', '=', project.id).execute()
    return { ...project, visibility }
  }
  const project = await newProject('public')
  return {
    ...services,
    database,
    engine,
    repositories,
    root,
    project,
    newProject,
    rowOf,
    P: `/projects/${project.id}/merge_requests`,
    /** Stores a merge request of the project, by default from its branch `feature`. */
    add: (changes: Partial<Insertable<MergeRequestTable>> = {}): Promise<MergeRequestRow> =>
      addMergeRequest({ deps: engine, project, user }, changes),
    /** A user, and a member of these projects with these levels. */
    person: async (name: string, levels: [ProjectRow, number][] = []): Promise<Person> => {
      const person = await addPerson(database, name)
      for (const [{ id }, access_level] of levels) {
        await database
          .insertInto('member')
          .values({ project_id: id, user_id: person.id, access_level, created_at: 0 })
          .execute()
      }
      return person
    },
    /** As `root` unless `as` is given; null is an anonymous caller. */
    call: async (route: string, as: Person | null = root): Promise<StatusAndBody> => {
      const response = await app.call(as ?? undefined, route)
      return [response.statusCode, response.json()]
    },
  }
}
