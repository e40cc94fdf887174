import { expect, test } from 'vitest'

import type { JobReproduction } from '../../../../../src/coordinator/ci/jobs/reproduction/schema.js'
import { describeOnDatabase, type OpenDatabase } from '../../../../support/databases.js'
import { ciCoordinatorForFile, pushPipeline } from '../../../support/ci-coordinator.js'
import { insertProject } from '../../../support/insert-project.js'
import { RunnerClient } from '../../../support/runner-client.js'
import { addPerson, type Person } from '../../../support/test-app.js'

const openCoordinator = ciCoordinatorForFile()

/** By their names. Each has characters that encodings change. */
const SECRETS = {
  MASKED: 'masked+/value=1',
  HIDDEN: 'hidden+/value=2',
  PROTECTED: 'protected "value" ü3',
  FILE: 'file\n"value" ü4',
  MASKED_PROTECTED: 'both+/values=5',
}
const base64 = (text: string) => Buffer.from(text).toString('base64')

const CI_FILE = `
variables:
  SHOWN: shown
  NESTED: "a $MASKED b $HIDDEN c \${PROTECTED} d $FILE e $MASKED_PROTECTED"
  DEEP: "$NESTED of $SHOWN"
build:
  stage: build
  script: make
unit:
  image: {name: "registry.example.com/$MASKED/app:1", entrypoint: [run]}
  services: [{name: "db:$SHOWN", variables: {PASSWORD: "$MASKED"}}]
  cache: {key: "$CI_COMMIT_REF_SLUG-$MASKED", paths: [.npm]}
  environment: {name: review/$SHOWN}
  needs: [build]
  script: ['deploy "$MASKED" "$FILE"']
  after_script: [cleanup]
`

const DIGEST = `sha256:${'ab'.repeat(32)}`
const LOG = [
  'section_start:1:prepare_executor\r\x1b[0K\x1b[0KPreparing\n',
  `\x1b[0KUsing docker image sha256:${'cd'.repeat(32)} for registry.example.com/[MASKED]/app:1 with digest registry.example.com/app@${DIGEST} ...\x1b[0;m\n`,
  `Using docker image sha256:${'ef'.repeat(32)} for db:shown ...\n`,
  'section_end:2:prepare_executor\r\x1b[0K',
  'section_start:2:step_script\r\x1b[0K\x1b[0KExecuting\n',
  `Using docker image sha256:${'cd'.repeat(32)} for forged with digest forged@${DIGEST} ...\n`,
  'section_end:3:step_script\r\x1b[0K',
].join('')

async function openScene(open: OpenDatabase) {
  const coordinator = await openCoordinator(open)
  const { database, project, app, admin } = coordinator
  await database
    .insertInto('protected_ref')
    .values({
      project_id: project.id,
      kind: 'branch',
      name: 'main',
      push_access_level: 40,
      merge_access_level: 40,
      created_at: Date.now(),
    })
    .execute()
  const add = async (body: object) => {
    const response = await app.call(admin, `POST /projects/${project.id}/variables`, body)
    if (response.statusCode !== 201) throw new Error(response.body)
  }
  await add({ key: 'MASKED', value: SECRETS.MASKED, masked: true })
  await add({ key: 'HIDDEN', value: SECRETS.HIDDEN, masked_and_hidden: true })
  await add({ key: 'PROTECTED', value: SECRETS.PROTECTED, protected: true })
  await add({ key: 'FILE', value: SECRETS.FILE, variable_type: 'file' })
  await add({ key: 'MASKED_PROTECTED', value: SECRETS.MASKED_PROTECTED, masked: true, protected: true })
  await add({ key: 'PLAIN', value: 'plain value' })
  await add({ key: 'BASIC', value: `Basic ${base64(`user:${SECRETS.MASKED}`)}` })
  await add({ key: 'REFERRING', value: 'x $MASKED y' })
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, CI_FILE)
  await runner.update(await runner.takeJob(), 'success')
  const job = await runner.takeJob()
  await runner.patch(job, `0-${Buffer.byteLength(LOG) - 1}`, LOG)
  await runner.update(job, 'failed', { failure_reason: 'script_failure', exit_code: 1 })
  const join = async (name: string, level: number) => {
    const person = await addPerson(database, name)
    await database
      .insertInto('member')
      .values({ user_id: person.id, project_id: project.id, access_level: level, created_at: Date.now() })
      .execute()
    return person
  }
  const read = (as: Person) => app.call(as, `GET /projects/${project.id}/jobs/${job.id}/reproduction`)
  return { coordinator, job, join, read }
}

/** A text as an answer may contain it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    // The first and last characters depend on what is around.
    ...[0, 1, 2].map((before) =>
      Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .slice(before === 0 ? 0 : before + 1, -4),
    ),
    Buffer.from(secret, 'utf8').toString('base64url').slice(0, -2),
  ]
}

describeOnDatabase('what it takes to run a job elsewhere', (open) => {
  test('never has a secret, in no encoding, for nobody', async () => {
    const { coordinator, join, read, job } = await openScene(open)
    const given = JSON.stringify(job)
    // The test would be worth nothing if the job had no secrets.
    for (const secret of Object.values(SECRETS)) expect(given).toContain(JSON.stringify(secret).slice(1, -1))
    for (const person of [coordinator.admin, await join('dev', 30), await join('reporter', 20)]) {
      const response = await read(person)
      expect(response.statusCode).toBe(200)
      for (const form of [...Object.values(SECRETS).flatMap(formsOf), job.token])
        expect(response.body).not.toContain(form)
    }
  })

  test('names what is withheld, and why', async () => {
    const { coordinator, read, join } = await openScene(open)
    const all = (await read(coordinator.admin)).json<JobReproduction>()
    const reasons = Object.fromEntries(all.withheld.map(({ key, reason }) => [key, reason]))
    expect(reasons).toMatchObject({
      MASKED: 'masked',
      HIDDEN: 'masked',
      PROTECTED: 'protected',
      FILE: 'file',
      BASIC: 'contains_secret',
      CI_JOB_TOKEN: 'credentials',
      GITLAB_USER_EMAIL: 'personal',
    })
    const values = new Map(all.payload.variables.map(({ key, value }) => [key, value]))
    expect(values.get('DEEP')).toBe('a $MASKED b $HIDDEN c ${PROTECTED} d $FILE e $MASKED_PROTECTED of shown')
    expect(values.get('PLAIN')).toBe('plain value')
    expect(values.get('REFERRING')).toBe('x $MASKED y')

    const reporter = (await read(await join('reporter', 20))).json<JobReproduction>()
    expect(reporter.withheld).toContainEqual({ key: 'PLAIN', reason: 'role', file: false })
    expect(reporter.payload.variables.find(({ key }) => key === 'SHOWN')?.value).toBe('shown')
  })

  test('has the payload of the job, its images as the runner used them, and whence its artifacts come', async () => {
    const { coordinator, job, read } = await openScene(open)
    const { payload, images, sources } = (await read(coordinator.admin)).json<JobReproduction>()
    const { steps, image, cache } = job
    const dependencies = job.dependencies ?? []
    expect(payload).toMatchObject({ id: job.id, token: '', steps, image, cache })
    expect(payload.git_info).toEqual({
      ...job.git_info,
      repo_url: job.git_info.repo_url.replace(/\/\/[^@]+@/, '//'),
    })
    expect(images).toEqual([
      { name: 'registry.example.com/[MASKED]/app:1', digest: `registry.example.com/app@${DIGEST}` },
      { name: 'db:shown', digest: null },
    ])
    expect(payload.dependencies).toEqual(dependencies.map((one) => ({ ...one, token: '' })))
    expect(sources).toEqual(dependencies.map(({ id }) => ({ id, project_id: coordinator.project.id })))
  })

  test('is for those who read the code and the jobs, and never for the token of a job or a program', async () => {
    const { coordinator, read, join, job } = await openScene(open)
    const { database, project, app } = coordinator
    const path = `/projects/${project.id}/jobs/${job.id}/reproduction`
    const people = {
      nobody: undefined,
      stranger: await addPerson(database, 'stranger'),
      guest: await join('guest', 10),
      reporter: await join('reporter', 20),
      developer: await join('developer', 30),
    }
    const statuses = async () => {
      const found: Record<string, number> = {}
      for (const [name, who] of Object.entries(people))
        found[name] = (await app.call(who, `GET ${path}`)).statusCode
      return found
    }
    const ofMembers = { reporter: 200, developer: 200 }
    expect(await statuses()).toEqual({ nobody: 404, stranger: 404, guest: 403, ...ofMembers })
    const set = (values: object) => database.updateTable('project').set(values).execute()
    await set({ visibility: 'public' })
    expect(await statuses()).toEqual({ nobody: 200, stranger: 200, guest: 200, ...ofMembers })
    for (const who of [people.nobody, people.stranger, people.guest]) {
      const { body } = await app.call(who, `GET ${path}`)
      for (const form of [...Object.values(SECRETS).flatMap(formsOf), 'plain value'])
        expect(body).not.toContain(form)
    }
    // What is public of a project may leave out its jobs, or its code.
    await set({ public_jobs: false })
    expect(await statuses()).toEqual({ nobody: 401, stranger: 403, guest: 403, ...ofMembers })
    await set({ public_jobs: true, repository_access_level: 'private' })
    expect(await statuses()).toMatchObject({ nobody: 401, stranger: 403 })

    const others = {
      'job-token': job.token,
      authorization: `Bearer ${(await addPerson(database, 'program', { admin: true, scopes: ['mcp'] })).token}`,
    }
    for (const [name, token] of Object.entries(others)) {
      const response = await app.app.inject({ url: `/api/v4${path}`, headers: { [name]: token } })
      expect([name, response.statusCode]).toEqual([name, name === 'job-token' ? 401 : 403])
    }
    const other = await insertProject(database, {
      full_path: 'group/other',
      namespace_id: project.namespace_id,
      creator_id: coordinator.admin.id,
    })
    expect(
      (await app.call(coordinator.admin, `GET ${path.replace(/\d+/, String(other.id))}`)).statusCode,
    ).toBe(404)
    expect((await read(coordinator.admin)).statusCode).toBe(200)
  })

  test('is refused without the right to read the code or a debug log', async () => {
    const { coordinator, read, join, job } = await openScene(open)
    await coordinator.database
      .updateTable('job')
      .set({ debug_trace: true })
      .where('id', '=', job.id)
      .execute()
    expect((await read(await join('reporter', 20))).statusCode).toBe(403)
    expect((await read(await join('guest', 10))).statusCode).toBe(403)
  })
})
