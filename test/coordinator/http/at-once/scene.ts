import { insertRunningJob } from '../../support/running-job.js'
import type { Person } from '../../support/test-app.js'
import { freshName, type World } from './world.js'

/** A project in a group, a user who owns both, and what operations are called with there. */
export interface Scene {
  user: Person
  /** Others, by name. */
  people: Map<string, Promise<Person>>
  /** Values of path parameters, by path and name. */
  things: Map<string, string | number>
  /** The target of operations on users; undefined = a new user each time. */
  target?: Person
  project: number
  /** Of the same group. */
  otherProject: number
  group: number
  /** Another group of the same user. */
  friends: number
  /** The branch, and its first commit. */
  main: string
  sha: string
  /** The token of a trigger. */
  trigger: string
  /** Of the project. */
  runner: { id: number; token: string }
  /** One that runs, of the other project. */
  job: { id: number; token: string }
  /** A job that has left a log and artifacts, in a project of its own. */
  finishedJob?: { project: number; id: number }
  /** Number of a runner of the other project. */
  idleRunner: number
}

const CI_FILE = `
build: { stage: build, script: [make], environment: test }
rare: { stage: build, script: [x], resource_group: one }
ship: { stage: build, script: [x], when: manual, environment: prod, resource_group: prod }
later: { stage: build, script: [x], when: delayed, start_in: 1 day }
last: { stage: deploy, script: [x] }
`

const ACTIONS = [
  { action: 'create', file_path: '.gitlab-ci.yml', content: CI_FILE },
  { action: 'create', file_path: 'a.txt', content: 'a' },
]

export async function addScene(world: World): Promise<Scene> {
  const name = freshName()
  const user = await world.addPerson(`ada-${name}`)
  const make = <T = { id: number; token: string }>(path: string, body: object) =>
    world.make<T>(user, 'POST', path, body)
  const addGroup = (path: string) => make('/groups', { name: path, path, visibility: 'public' })
  const { id: group } = await addGroup(`group-${name}`)
  const { id: friends } = await addGroup(`friends-${name}`)
  const addProject = (own: string) =>
    make('/projects', { name: own, namespace_id: group, visibility: 'public' })
  const { id: project } = await addProject('app')
  const { id: otherProject } = await addProject('other')
  const addRunner = (project_id: number) => make('/user/runners', { runner_type: 'project_type', project_id })
  const runner = await addRunner(project)
  const main = 'main'
  const commit = { branch: main, commit_message: 'x', actions: ACTIONS }
  const { id: sha } = await make<{ id: string }>(`/projects/${project}/repository/commits`, commit)
  const { token: trigger } = await make(`/projects/${project}/triggers`, { description: 'x' })
  const job = await addJob(world, otherProject, user)
  const { id: idleRunner } = await addRunner(otherProject)
  return {
    user,
    people: new Map(),
    things: new Map(),
    project,
    otherProject,
    group,
    friends,
    main,
    sha,
    trigger,
    runner,
    job,
    idleRunner,
  }
}

/** A running job. */
export async function addJob(
  { database }: World,
  projectId: number,
  { id: userId }: Person,
): Promise<Scene['job']> {
  const token = await insertRunningJob(database, { projectId, userId })
  const { id } = await database
    .selectFrom('job')
    .select('id')
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  await database.updateTable('job').set({ started_at: 1 }).where('id', '=', id).execute()
  return { id, token }
}
