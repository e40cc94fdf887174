import { describe, expect, test } from 'vitest'

import { mayEnter, mayEnterRunning } from '../../../src/coordinator/ci/holds/may-enter.js'
import { createLogger } from '../../../src/lib/logger.js'
import {
  addMember,
  asSocket,
  closing,
  openTerminalScene,
} from '../../coordinator/ci/terminals/terminal-scene.js'
import { callAs, openBrowser } from '../../coordinator/support/browser.js'
import { variants } from '../../support/nightly.js'

const HOLD = { 'hold-token': 'hold' }

describe('who opens a shell in a job', () => {
  // role, own job, may run on the ref (on a protected one: may push or merge), administrator → in a held, a running job
  const rows: [number, boolean, boolean, boolean, boolean, boolean][] = [
    [30, true, true, false, true, true],
    [30, true, false, false, false, false],
    [30, false, true, false, false, false],
    [30, false, false, false, false, false],
    [40, true, true, false, true, true],
    [40, true, false, false, false, false],
    [40, false, true, false, true, false],
    [40, false, false, false, false, false],
    [50, false, true, false, true, false],
    [50, false, false, false, false, false],
    [50, false, true, true, true, true],
    [50, false, false, true, false, false],
  ]
  test.each(rows)(
    'role %i, own job %s, may run on the ref %s, administrator %s: held %s, running %s',
    (accessLevel, isOwnJob, mayRun, isAdmin, held, running) => {
      expect(mayEnter({ accessLevel, isOwnJob, mayRun })).toBe(held)
      expect(mayEnterRunning({ isOwnJob, isAdmin, mayRun })).toBe(running)
    },
  )

  test('is what the table says: by the API and for the page, in held and running jobs', async () => {
    const { coordinator, job, ask, hold } = await openTerminalScene()
    const { app, project, admin } = coordinator
    const entrance = async (as: typeof admin) => {
      const response = await app.call(as, `GET /projects/${project.id}/jobs/${job.id}/terminal`)
      return response.statusCode === 200
        ? response.json<{ problem: string | null }>().problem
        : response.statusCode
    }
    const people = {
      reporter: await addMember(coordinator, 'reporter', 20),
      developer: await addMember(coordinator, 'developer', 30),
      maintainer: await addMember(coordinator, 'maintainer', 40),
      admin,
    }
    const outcomes = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(people).map(async ([name, who]) => [
            name,
            [(await ask(who)).statusCode, await entrance(who)],
          ]),
        ),
      ) as Record<string, unknown>
    const [no, yes] = [
      [403, 'forbidden'],
      [201, null],
    ]
    expect(await outcomes()).toEqual({ reporter: [403, 403], developer: no, maintainer: no, admin: yes })
    await hold()
    expect(await outcomes()).toEqual({ reporter: [403, 403], developer: no, maintainer: yes, admin: yes })
  })
})

describe('the socket of a shell', () => {
  test('opens once with its ticket, in time, from the own origin; and for its own runner, once', async () => {
    const { clock, ticket, person, joining, url, hold } = await openTerminalScene()
    await hold()
    const first = await ticket()
    expect(await person({ ...first, ticket: 'wrong' })).toBe(403)
    expect(await person(first, { origin: 'http://evil.example' })).toBe(403)
    asSocket(await person(first, { origin: `http://${url}` }))
    expect(await person(first)).toBe(403)
    expect(await joining(first, { 'hold-token': 'wrong' })).toBe(403)
    expect(await joining(first, { 'hold-token': 'wrong', 'job-token': 'wrong' })).toBe(403)
    asSocket(await joining(first, HOLD))
    expect(await joining(first, HOLD)).toBe(403)
    const late = await ticket()
    clock.now = () => Date.now() + 31_000
    expect(await person(late)).toBe(403)
    expect(await joining(late, HOLD)).toBe(403)
  })

  test('does not open without a ticket, or with that of another job or person', async () => {
    const { coordinator, takeJob, job, ticket, person, joining, hold } = await openTerminalScene()
    await hold()
    const maintainer = await addMember(coordinator, 'maintainer', 40)
    const [own, ofAnother] = [await ticket(), await ticket(maintainer)]
    const other = await takeJob()
    const elsewhere = await ticket(undefined, other)
    expect(await joining(own, {})).toBe(403)
    expect(await person({ ...own, ticket: ofAnother.ticket })).toBe(403)
    expect(await person({ ...own, ticket: elsewhere.ticket })).toBe(403)
    expect(await person({ ...own, url: `/api/v4/terminals/${'0'.repeat(32)}` })).toBe(403)
    expect(await person({ ...own, url: '/api/v4/terminals' })).toBe(404)
    // Nor is it joined with the token of another job, or with one that has ended.
    expect(await joining(own, { 'job-token': other.token })).toBe(403)
    await coordinator.database.updateTable('job').set({ status: 'failed' }).where('id', '=', job.id).execute()
    expect(await joining(own, { 'job-token': job.token })).toBe(403)
    asSocket(await person(own))
  })

  test('has the rights of the person with the ticket, also with the session of somebody else', async () => {
    const { coordinator, ticket, person, hold } = await openTerminalScene()
    await hold()
    const { database, admin, project } = coordinator
    const maintainer = await addMember(coordinator, 'maintainer', 40)
    const given = await ticket(maintainer)
    const { headers } = await openBrowser(database, admin)
    const setLevel = (access_level: number) =>
      database.updateTable('member').set({ access_level }).where('project_id', '=', project.id).execute()
    await setLevel(30)
    expect(await person(given, headers)).toBe(403)
    await setLevel(40)
    asSocket(await person(given, headers))
  })

  test('is closed when the ref of a running job becomes protected, for a developer in the own job', async () => {
    const { coordinator, job, ticket, person } = await openTerminalScene()
    const { database, project } = coordinator
    const developer = await addMember(coordinator, 'developer', 30)
    await database.updateTable('job').set({ user_id: developer.id }).where('id', '=', job.id).execute()
    const [used, unused] = [await ticket(developer), await ticket(developer)]
    const closed = closing(asSocket(await person(used)))
    const rule = { project_id: project.id, kind: 'branch', name: 'main', created_at: 0 } as const
    await database
      .insertInto('protected_ref')
      .values({ ...rule, push_access_level: 40, merge_access_level: 40 })
      .execute()
    expect(await closed).toEqual([1008, 'You may not use this terminal any longer'])
    expect(await person(unused)).toBe(403)
  })

  test('needs a browser session that was confirmed, for a job on a protected ref', async () => {
    const { coordinator, job, ask } = await openTerminalScene()
    const { database, app, admin, project } = coordinator
    await database.updateTable('job').set({ protected: true }).where('id', '=', job.id).execute()
    const browser = await openBrowser(database, admin)
    const confirm = (confirmed_at: number | null) =>
      database.updateTable('web_session').set({ confirmed_at }).execute()
    const askHere = () => callAs(app.app, browser, `POST /projects/${project.id}/jobs/${job.id}/terminal`)
    await confirm(Date.now() - 31 * 60_000)
    const refused = await askHere()
    expect([refused.statusCode, refused.json()]).toEqual([403, { error: 'confirmation_required' }])
    await confirm(Date.now())
    expect((await askHere()).statusCode).toBe(201)
    // A token is no browser that somebody has left.
    expect((await ask(admin)).statusCode).toBe(201)
  })

  test.each(variants([20], [30]))(
    'is closed when a maintainer in the job of somebody else has only the role %i',
    async (access_level) => {
      const { coordinator, ticket, person, joining, hold } = await openTerminalScene()
      await hold()
      const { database, project } = coordinator
      const maintainer = await addMember(coordinator, 'maintainer', 40)
      const given = await ticket(maintainer)
      const closed = closing(asSocket(await person(given)))
      asSocket(await joining(given, HOLD))
      await database
        .updateTable('member')
        .set({ access_level })
        .where('project_id', '=', project.id)
        .execute()
      expect(await closed).toEqual([1008, 'You may not use this terminal any longer'])
    },
  )

  test('leaves no ticket in the log and the audit trail, and no command', async () => {
    let logged = ''
    const format = (json: string) => {
      logged += json
      return ''
    }
    const logger = createLogger('test', 'trace', { format })
    const { coordinator, ticket, person, hold } = await openTerminalScene({ logger })
    await hold()
    const given = await ticket()
    asSocket(await person(given))
    expect(await person(given)).toBe(403)
    const events = JSON.stringify(await coordinator.database.selectFrom('audit_event').selectAll().execute())
    expect(events).toContain('Opened a shell in a job')
    for (const text of [logged, events]) expect(text).not.toContain(given.ticket)
    expect(events).not.toContain('"ls"')
  })
})
