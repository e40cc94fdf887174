import {
  type CiCoordinator,
  type Limits,
  pushPipeline,
  startCiCoordinator,
} from '../../../support/ci-coordinator.js'
import { RunnerClient } from '../../../support/runner-client.js'
import { addPerson, type Person } from '../../../support/test-app.js'

/** A coordinator with a runner, and people who may read its project. */
export interface LogScene {
  coordinator: CiCoordinator
  runner: RunnerClient
  reporter: Person
  developer: Person
  stranger: Person
}

export async function openLogScene(settings: Limits = {}): Promise<LogScene> {
  const coordinator = await startCiCoordinator(settings)
  const { database, project } = coordinator
  const runner = await RunnerClient.register(coordinator)
  const member = async (username: string, level: number) => {
    const person = await addPerson(database, username)
    await database
      .insertInto('member')
      .values({ user_id: person.id, project_id: project.id, access_level: level, created_at: Date.now() })
      .execute()
    return person
  }
  return {
    coordinator,
    runner,
    reporter: await member('reporter', 20),
    developer: await member('developer', 30),
    stranger: await addPerson(database, 'stranger'),
  }
}

/** A job that runs, and what its runner and its readers do. */
export async function startLog(
  { coordinator, runner, reporter }: LogScene,
  ciFile = 'build: { script: [make] }',
) {
  await pushPipeline(coordinator, ciFile)
  const job = await runner.takeJob()
  const { project, app } = coordinator
  const path = `/projects/${project.id}/jobs/${job.id}/trace`
  let size = 0
  const print = async (text: string | Buffer, isDebug = false) => {
    const bytes = Buffer.from(text)
    const response = await runner.patch(job, `${size}-${size + bytes.length - 1}`, bytes, isDebug)
    size += bytes.length
    if (response.status !== 202) throw new Error(await response.text())
    return response
  }
  const finish = (state = 'success', more: object = {}) => runner.update(job, state, more)
  const read = (below: string, as: Person | null = reporter) =>
    app.call(as ?? undefined, `GET ${path}${below}`)
  return { job, path, print, finish, read, json: jsonReader(read) }
}

function jsonReader(read: (below: string) => Promise<{ statusCode: number; body: string }>) {
  return async <T = Record<string, unknown>>(below: string): Promise<T> => {
    const { statusCode, body } = await read(below)
    if (statusCode !== 200) throw new Error(`${statusCode}: ${body}`)
    return JSON.parse(body) as T
  }
}
