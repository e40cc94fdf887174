import type { LightMyRequestResponse } from 'fastify'

import type { CiCoordinator } from './ci-coordinator.js'
import { addPerson, type Person, type TestApp } from './test-app.js'

/** Calls an operation of the project by `GET /environments` and the like. */
export type CallInProject = (
  as: Person | undefined,
  route: string,
  body?: object,
) => Promise<LightMyRequestResponse>

/** A new user who is a member of the project. */
export async function addMember(
  { database, project }: Pick<CiCoordinator, 'database' | 'project'>,
  name: string,
  access_level: number,
): Promise<Person> {
  const person = await addPerson(database, name)
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: person.id, access_level, created_at: Date.now() })
    .execute()
  return person
}

/** Functions that add a member of the project, and call its operations. */
export function projectTeam(coordinator: CiCoordinator, app: TestApp = coordinator.app) {
  const person = (name: string, level: number): Promise<Person> => addMember(coordinator, name, level)
  const call: CallInProject = (as, route, body) => {
    const [method = '', path = ''] = route.split(' ')
    return app.call(as, `${method} /projects/${coordinator.project.id}${path}`, body)
  }
  return { person, call }
}
