import { describe, expect, test } from 'vitest'

import { describeDialFailure } from '../../../src/coordinator/ci/terminals/dial-failure.js'
import { type DialResult, dialSession } from '../../../src/coordinator/ci/terminals/dial-session.js'
import { EgressClient } from '../../../src/coordinator/egress/egress-client.js'
import { EgressRules, parseAllowedHost } from '../../../src/egress/egress-rules.js'
import { createLogger } from '../../../src/lib/logger.js'
import { asSocket, nextMessage, openTerminalScene } from '../../coordinator/ci/terminals/terminal-scene.js'
import { onFinished } from '../../support/lifetime.js'
import { AUTHORIZATION, SessionServer } from '../../support/session-server.js'

const SHELL = { columns: 80, rows: 24 }

/** Connects as a coordinator does, with local addresses allowed or listed. */
async function dial(
  session: ReturnType<SessionServer['session']>,
  { allowLocalNetwork = true, listed = [] as string[] } = {},
): Promise<DialResult> {
  const hosts = listed.map(parseAllowedHost).filter((host) => host !== undefined)
  const egress = new EgressClient({ allowLocalNetwork, allowed: new EgressRules(hosts) })
  onFinished(() => void egress.close())
  const result = await dialSession(session, { egress, signal: new AbortController().signal })
  if (result.kind === 'open') result.socket.terminate()
  return result
}

function messageOf(result: DialResult): string {
  return result.kind === 'failed' ? describeDialFailure(result.failure) : result.kind
}

describe('a runner that gives the address of a session server', () => {
  test('reaches no address of this machine, however it is written, unless administrators list it', async () => {
    const server = await SessionServer.start()
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::ffff:7f00:1]', '0.0.0.0']) {
      const refused = messageOf(await dial(server.session(host), { allowLocalNetwork: false }))
      expect(refused).toContain('`outbound_local_requests_allowlist`')
      expect(refused).toContain('`allow_local_requests_from_web_hooks_and_services`')
    }
    expect(server.connections()).toBe(0)
    const listed = { allowLocalNetwork: false, listed: ['127.0.0.1'] }
    expect(messageOf(await dial(server.session(), listed))).toBe('open')
  })

  test('gets no shell there by the ticket of a person, who reads which setting allows it', async () => {
    const server = await SessionServer.start()
    const request = { session: server.session() }
    const { ask, person } = await openTerminalScene({ request, allowLocalNetwork: false })
    const socket = asSocket(await person((await ask(undefined, undefined, SHELL)).json()))
    expect(await nextMessage(socket)).toContain('outbound_local_requests_allowlist')
    expect(server.connections()).toBe(0)
  })

  test('does not redirect the coordinator to another server', async () => {
    const inner = await SessionServer.start()
    const location = `${inner.session().url}/exec`
    const outer = await SessionServer.start({ status: 302, location })
    expect(messageOf(await dial(outer.session()))).toMatch(/status 302/)
    expect([outer.requests.length, inner.connections()]).toEqual([1, 0])
  })

  test('must have the certificate that it sent, for its host, before it gets the authorization', async () => {
    const ofAnotherHost = await SessionServer.start({ host: 'runner.example' })
    const server = await SessionServer.start()
    const { certificate } = ofAnotherHost
    for (const session of [
      ofAnotherHost.session(),
      { ...server.session(), certificate },
      { ...server.session(), certificate: '' },
    ])
      expect(messageOf(await dial(session))).toMatch(/^The certificate .* is not valid for its address/)
    expect([...ofAnotherHost.requests, ...server.requests]).toEqual([])
    expect(messageOf(await dial(server.session()))).toBe('open')
  })

  test('finds its authorization in no response, log or audit event, and encrypted in the store', async () => {
    let logged = ''
    const format = (json: string) => {
      logged += json
      return ''
    }
    const logger = createLogger('test', 'trace', { format })
    const server = await SessionServer.start({ status: 503 })
    const { coordinator, job, ask, person } = await openTerminalScene({
      logger,
      request: { session: server.session() },
    })
    const { app, admin, project, database } = coordinator
    const given = await ask(undefined, undefined, SHELL)
    await nextMessage(asSocket(await person(given.json())))
    expect(logged).toContain('session server')
    const paths = ['', '?with_details=true', '/terminal'].map((rest) => `jobs/${job.id}${rest}`)
    const responses = await Promise.all(
      paths.map((path) => app.call(admin, `GET /projects/${project.id}/${path}`)),
    )
    const stored = [
      await database.selectFrom('runner_session').selectAll().execute(),
      await database.selectFrom('audit_event').selectAll().execute(),
      await database.selectFrom('job_terminal').selectAll().execute(),
    ]
    expect(stored[0]).toHaveLength(1)
    const texts = [logged, given.body, JSON.stringify(job), ...responses.map(({ body }) => body)]
    for (const text of [...texts, JSON.stringify(stored)]) expect(text).not.toContain(AUTHORIZATION)
    for (const text of texts) expect(text).not.toContain(server.session().url)
  })
})
