import type { PipelineRow } from '../../../src/coordinator/database/tables/pipeline-rows.js'
import type { JobPayload } from '../../../src/protocol/job-payload.js'
import { protectBranch } from '../../coordinator/ci/engine/support/records.js'
import {
  type CiCoordinator,
  pushPipeline,
  startCiCoordinator,
} from '../../coordinator/support/ci-coordinator.js'
import { RunnerClient } from '../../coordinator/support/runner-client.js'
import { addPerson, type Person } from '../../coordinator/support/test-app.js'
import { type OpenDatabase, openSqlite } from '../../support/databases.js'

/** Members of the project by their roles, an administrator, and an account without any. */
export const ROLES = {
  stranger: 0,
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  administrator: 0,
} as const
export type RoleName = keyof typeof ROLES

/** A project whose branch `main` is protected for maintainers, and which has a variable for protected refs. */
export interface AttackScene {
  coordinator: CiCoordinator
  people: Record<RoleName, Person>
  runner: RunnerClient
  /** Calls `POST /environments` and the like below the project. */
  call: (as: Person | undefined, route: string, body?: object) => ReturnType<CiCoordinator['app']['call']>
  push: (as: Person, ref: string, ciFile: string) => Promise<PipelineRow>
}

export async function openAttackScene(open: OpenDatabase = openSqlite): Promise<AttackScene> {
  const coordinator = await startCiCoordinator({}, open)
  const { database, engine, project } = coordinator
  const people: Partial<Record<RoleName, Person>> = {}
  for (const [name, access_level] of Object.entries(ROLES) as [RoleName, number][]) {
    const person = await addPerson(database, name, { admin: name === 'administrator' })
    people[name] = person
    if (access_level === 0) continue
    const membership = { project_id: project.id, user_id: person.id, access_level, created_at: 0 }
    await database.insertInto('member').values(membership).execute()
  }
  await protectBranch(database, project.id, 'main')
  await database
    .insertInto('ci_variable')
    .values({
      project_id: project.id,
      namespace_id: null,
      key: 'SECRET',
      variable_type: 'env_var',
      value_encrypted: engine.secrets.encrypt('of protected refs'),
      protected: true,
      description: null,
      created_at: 0,
      updated_at: 0,
    })
    .execute()
  return {
    coordinator,
    people: people as Record<RoleName, Person>,
    runner: await RunnerClient.register(coordinator),
    call: (as, route, body) => {
      const [method = '', path = ''] = route.split(' ')
      return coordinator.app.call(as, `${method} /projects/${project.id}${path}`, body)
    },
    push: (user, ref, ciFile) => pushPipeline(coordinator, ciFile, { user, ref }),
  }
}

/** What a runner was given: the name of the job, in whose name it runs, and whether it has the protected variable. */
export interface Started {
  job: string
  as: string | undefined
  hasSecret: boolean
}

export function startedBy(payload: JobPayload): Started {
  const valueOf = (key: string) => payload.variables.findLast((variable) => variable.key === key)?.value
  return {
    job: payload.job_info.name,
    as: valueOf('GITLAB_USER_LOGIN'),
    hasSecret: valueOf('SECRET') !== undefined,
  }
}

/** Takes the next job from the queue; undefined when there is none. */
export async function takeNext({ runner }: AttackScene): Promise<JobPayload | undefined> {
  const response = await runner.request()
  return response.status === 201 ? ((await response.json()) as JobPayload) : undefined
}

export async function whatStarts(scene: AttackScene): Promise<Started | undefined> {
  const payload = await takeNext(scene)
  return payload && startedBy(payload)
}

/** Runs the next job, which must have this name, to its success. */
export async function runToSuccess(scene: AttackScene, name: string): Promise<void> {
  const payload = await takeNext(scene)
  if (payload?.job_info.name !== name) throw new Error(`${payload?.job_info.name} came instead of ${name}`)
  await scene.runner.update(payload, 'success')
}
