import { randomUUID } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { EgressClient } from '../../../../src/coordinator/egress/egress-client.js'
import { deleteOldDeliveries } from '../../../../src/coordinator/integrations/webhooks/deliveries/delete-old-deliveries.js'
import { emitPushEvents } from '../../../../src/coordinator/integrations/webhooks/outbox/emit-push-events.js'
import { inEventChain } from '../../../../src/coordinator/integrations/webhooks/outbox/event-chain.js'
import { storeEvents } from '../../../../src/coordinator/integrations/webhooks/outbox/outbox.js'
import { deferred } from '../../../../src/lib/deferred.js'
import { describeOnEachDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { HookDesk } from './hook-desk.js'
import { HookReceiver, type Received } from './hook-receiver.js'

const numbersOf = (received: Received[]) => received.map(({ body }) => body['number'])

describeOnEachDatabase('deliveries', (open, testOnOne) => {
  testOnOne('arrive in the order of the events, with all documented headers', async () => {
    const desk = await HookDesk.open(open)
    const receiver = await HookReceiver.start()
    const url = receiver.url.replace('//', '//ann:p%40ss@')
    const hook = await desk.addHook(`${url}/{place}?a=1`, {
      token: 'se\r\ncret ü',
      url_variables: [{ key: 'place', value: 'hidden' }],
      custom_headers: [{ key: 'X-Own', value: 'own' }],
    })
    desk.startWorker()
    const numbers = Array.from({ length: 30 }, (_, index) => index)
    await desk.happen(...numbers)
    const received = await receiver.until(30)
    expect(numbersOf(received)).toEqual(numbers)
    expect(received[0]).toMatchObject({
      path: '/hidden?a=1',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Switchyard/1.2.3',
        authorization: `Basic ${Buffer.from('ann:p@ss').toString('base64')}`,
        'x-gitlab-event': 'Push Hook',
        'x-gitlab-instance': 'http://switchyard.example',
        'x-gitlab-token': Buffer.from('secret ü').toString('latin1'),
        'x-own': 'own',
      },
    })
    for (const header of ['idempotency-key', 'x-gitlab-webhook-uuid', 'x-gitlab-event-uuid']) {
      expect(new Set(received.map(({ headers }) => headers[header])).size).toBe(30)
    }
    const [log] = await desk.log(hook.id)
    expect(log).toMatchObject({ response_status: '200', response_body: 'thanks' })
    expect(JSON.stringify(log)).not.toMatch(/hidden|secret|p@ss|p%40ss|YW5u|"own"/)
  })

  testOnOne('are not created for a change that is rolled back', async () => {
    const desk = await HookDesk.open(open)
    await desk.addHook('http://127.0.0.1:9')
    const facts = { ref: 'refs/heads/main', before: 'a', after: 'b', userId: 1, options: [] }
    const work = inTransaction(desk.database, async (tx) => {
      await emitPushEvents(tx, desk.projectId, facts)
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await desk.waiting()).toEqual([])
  })

  testOnOne(
    'without a response are repeated under the same key and then given up; the hook rests',
    async () => {
      const desk = await HookDesk.open(open)
      const receiver = await HookReceiver.start()
      receiver.respond = (response) => response.destroy()
      const hook = await desk.addHook(receiver.url)
      const stop = desk.startWorker()
      await desk.happen(1)
      const received = await receiver.until(4)
      await stop()
      expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
      expect(new Set(received.map(({ text }) => text)).size).toBe(1)
      expect(await desk.waiting()).toEqual([])
      expect(await desk.log(hook.id)).toMatchObject(
        Array.from({ length: 4 }, () => ({ response_status: 'internal error', response_code: null })),
      )
      const { recent_failures, disabled_until } = await desk.hook(hook.id)
      expect(recent_failures).toBe(4)
      expect(disabled_until).toBeGreaterThan(Date.now() + 50_000)
      // Events of this interval are not delivered.
      await desk.happen(2)
      expect(await desk.waiting()).toEqual([])
    },
  )

  testOnOne('that are refused are not repeated, and a success makes up for failures', async () => {
    const desk = await HookDesk.open(open)
    const receiver = await HookReceiver.start()
    const statuses = [500, 404, 302]
    receiver.respond = (response) => {
      response.statusCode = statuses.shift() ?? 200
      response.setHeader('location', `${receiver.url}/elsewhere`)
      response.end('x'.repeat(20_000))
    }
    const hook = await desk.addHook(receiver.url)
    const stop = desk.startWorker()
    await desk.happen(1, 2)
    await receiver.until(2)
    await stop()
    expect(await desk.hook(hook.id)).toMatchObject({ recent_failures: 2, disabled_until: null })
    const stopAgain = desk.startWorker()
    await desk.happen(3)
    await receiver.until(3)
    await stopAgain()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/', '/'])
    expect(await desk.hook(hook.id)).toMatchObject({ recent_failures: 0 })
    const log = await desk.log(hook.id)
    expect(log.map(({ response_status }) => response_status)).toEqual(['500', '404', '302'])
    expect(log.map(({ response_body }) => response_body?.length)).toEqual([8192, 8192, 8192])
  })

  testOnOne('stop after forty failures, including waiting deliveries', async () => {
    const desk = await HookDesk.open(open)
    const receiver = await HookReceiver.start()
    receiver.respond = (response) => response.writeHead(500).end()
    const hook = await desk.addHook(receiver.url)
    await desk.happen(1, 2)
    await desk.database.updateTable('web_hook').set({ recent_failures: 39 }).execute()
    const stop = desk.startWorker()
    await receiver.until(1)
    await stop()
    expect(await desk.hook(hook.id)).toMatchObject({ recent_failures: 40, disabled_until: null })
    expect(await desk.waiting()).toEqual([])
    await desk.happen(3)
    expect(await desk.waiting()).toEqual([])
  })

  testOnOne('to a slow receiver keep no other hook waiting', async () => {
    const desk = await HookDesk.open(open)
    const [slow, quick] = [await HookReceiver.start(), await HookReceiver.start()]
    const gate = deferred()
    slow.respond = (response) => void gate.promise.then(() => response.end())
    await desk.addHook(slow.url)
    await desk.addHook(quick.url)
    const stop = desk.startWorker()
    await desk.happen(1, 2, 3)
    await quick.until(3)
    // One at a time.
    expect(await slow.until(1)).toHaveLength(1)
    gate.resolve()
    await slow.until(3)
    await stop()
    expect(numbersOf(slow.received)).toEqual([1, 2, 3])
  })

  test('are made once by several coordinators', async () => {
    const desk = await HookDesk.open(open)
    const receiver = await HookReceiver.start()
    for (let hooks = 0; hooks < 3; hooks++) await desk.addHook(receiver.url)
    const stops = [desk.startWorker(), desk.startWorker(), desk.startWorker()]
    for (let number = 0; number < 10; number++) await desk.happen(number)
    await receiver.until(30)
    await Promise.all(stops.map((stop) => stop()))
    expect(receiver.received).toHaveLength(30)
    expect(new Set(receiver.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(30)
    expect(await desk.waiting()).toEqual([])
  })

  test('that a coordinator had begun when it died are made by another, once its lease is over', async () => {
    const desk = await HookDesk.open(open)
    const receiver = await HookReceiver.start()
    await desk.addHook(receiver.url)
    await desk.happen(1)
    await desk.database
      .updateTable('web_hook')
      .set({ lease_owner: randomUUID(), lease_until: Date.now() + 500 })
      .execute()
    const [delivery] = await desk.waiting()
    desk.startWorker()
    const [received] = await receiver.until(1)
    expect(received?.headers['idempotency-key']).toBe(delivery?.idempotency_key)
  })

  testOnOne('do not go round in circles: whom a chain of events has reached, it spares', async () => {
    const desk = await HookDesk.open(open)
    const [first, second] = [await HookReceiver.start(), await HookReceiver.start()]
    const served = deferred()
    first.respond = (response, { headers }) =>
      inEventChain(headers['x-gitlab-event-uuid'], () => {
        void desk
          .addHook(second.url)
          .then(() => desk.happen(2))
          .then(() => response.end(), served.reject)
      })
    await desk.addHook(first.url)
    desk.startWorker()
    await desk.happen(1)
    const [echo] = await second.until(1)
    expect(echo?.headers['x-gitlab-event-uuid']).toBe(first.received[0]?.headers['x-gitlab-event-uuid'])
    await desk.happen(3)
    await first.until(2)
    expect(numbersOf(first.received)).toEqual([1, 3])
  })

  testAtNight('that fail for a reason of this program let the others past, and are made later', async () => {
    const desk = await HookDesk.open(open)
    const receiver = await HookReceiver.start()
    const hook = await desk.addHook(receiver.url)
    let isBroken = true
    const stop = desk.startWorker({
      render: async ({ facts }) => {
        if ('number' in facts && facts.number === 1 && isBroken) throw new Error('broken')
        return facts
      },
      timings: { lease: 60_000, retries: [], rest: 1000 },
    })
    await desk.happen(1, 2)
    expect(numbersOf(await receiver.until(1))).toEqual([2])
    isBroken = false
    expect(numbersOf(await receiver.until(2))).toEqual([2, 1])
    await stop()
    expect(await desk.hook(hook.id)).toMatchObject({ recent_failures: 0 })
  })

  testOnOne(
    'to the hook of a group go on when the project of an event is deleted during its delivery',
    async () => {
      const desk = await HookDesk.open(open)
      const receiver = await HookReceiver.start()
      const hook = await desk.addGroupHook(receiver.url)
      await desk.happen(1, 2)
      const served = deferred()
      receiver.respond = (response) => {
        void desk.database
          .deleteFrom('project')
          .execute()
          .then(() => response.end('thanks'))
          .then(() => served.resolve())
      }
      desk.startWorker()
      const [first] = await receiver.until(1)
      expect(first?.headers['x-gitlab-event']).toBe('Push Hook')
      await served.promise
      await inTransaction(desk.database, (tx) =>
        storeEvents(tx, [
          { projectId: null, trigger: 'member_events', kind: 'plain', facts: { number: 3 }, hooks: [hook] },
        ]),
      )
      receiver.respond = (response) => response.end('thanks')
      const [, last] = await receiver.until(2)
      expect([last?.body, last?.headers['x-gitlab-event']]).toEqual([{ number: 3 }, 'Member Hook'])
      await expect.poll(() => desk.waiting()).toEqual([])
      expect(await desk.log(hook.id)).toMatchObject([{ response_status: '200' }])
    },
  )

  testOnOne('are kept in a form that only this instance can read', async () => {
    const desk = await HookDesk.open(open)
    const receiver = await HookReceiver.start()
    await desk.addHook(receiver.url)
    const stop = desk.startWorker({ render: async () => ({ variable: 'of great value' }) })
    await desk.happen(1)
    await receiver.until(1)
    await stop()
    const rows = await desk.database.selectFrom('hook_event').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('of great value')
  })

  testOnOne('leave a log for a week, and are given up after two days', async () => {
    const desk = await HookDesk.open(open)
    const receiver = await HookReceiver.start()
    const hook = await desk.addHook(receiver.url)
    const stop = desk.startWorker()
    await desk.happen(1)
    await receiver.until(1)
    await stop()
    await desk.happen(2)
    const day = 24 * 3600 * 1000
    await deleteOldDeliveries(desk.database, Date.now() + day)
    expect([await desk.log(hook.id), await desk.waiting()]).toMatchObject([[{}], [{}]])
    await deleteOldDeliveries(desk.database, Date.now() + 3 * day)
    expect([await desk.log(hook.id), await desk.waiting()]).toMatchObject([[{}], []])
    await deleteOldDeliveries(desk.database, Date.now() + 8 * day)
    expect(await desk.log(hook.id)).toEqual([])
    expect(await desk.database.selectFrom('hook_event').selectAll().execute()).toEqual([])
  })
})

describe('a hook', () => {
  test('may use a custom template, and an invalid result is not sent', async () => {
    const desk = await HookDesk.open()
    const receiver = await HookReceiver.start()
    await desk.addHook(receiver.url, {
      custom_webhook_template: '{"text": "event {{number}} \\"{{none}}\\""}',
    })
    desk.startWorker()
    await desk.happen(7)
    expect((await receiver.until(1))[0]?.body).toEqual({ text: 'event 7 ""' })
  })

  test('a hook whose name now resolves to the local network receives nothing, and its log says why', async () => {
    const desk = await HookDesk.open()
    const receiver = await HookReceiver.start()
    const hook = await desk.addHook(receiver.url.replace('127.0.0.1', 'localhost'))
    const egress = new EgressClient({ allowLocalNetwork: false })
    const attempted = deferred()
    const stop = desk.startWorker({ egress, onAttempt: () => attempted.resolve() })
    await desk.happen(1)
    await attempted.promise
    await stop()
    await egress.close()
    expect(receiver.received).toEqual([])
    expect(await desk.log(hook.id)).toMatchObject([
      {
        response_status: 'internal error',
        response_body: expect.stringContaining('local network') as string,
      },
    ])
    expect(await desk.waiting()).toEqual([])
  })

  testAtNight('is not sent more than 25 MB', async () => {
    const desk = await HookDesk.open()
    const receiver = await HookReceiver.start()
    const hook = await desk.addHook(receiver.url)
    const attempted = deferred()
    const render = async () => ({ text: 'x'.repeat(26 * 1024 * 1024) })
    const stop = desk.startWorker({ render, onAttempt: () => attempted.resolve() })
    await desk.happen(1)
    await attempted.promise
    await stop()
    expect(receiver.received).toEqual([])
    expect((await desk.log(hook.id))[0]?.response_body).toContain('larger than')
    // It is no fault of the receiver's.
    expect(await desk.hook(hook.id)).toMatchObject({ recent_failures: 0 })
  })

  test.each([
    ['wildcard', 'release/*', ['release/1']],
    ['wildcard', 'main', ['main']],
    ['regex', '^(main|rel.*)$', ['main', 'release/1']],
    ['all_branches', 'main', ['main', 'release/1', 'x']],
  ] as const)('receives only branches that match its filter: %s %s', async (strategy, filter, heard) => {
    const desk = await HookDesk.open()
    await desk.addHook('http://127.0.0.1:9', {
      push_events_branch_filter: filter,
      branch_filter_strategy: strategy,
      tag_push_events: true,
    })
    const push = (ref: string) =>
      inTransaction(desk.database, (tx) =>
        emitPushEvents(tx, desk.projectId, { ref, before: 'a', after: 'b', userId: 1, options: [] }),
      )
    for (const ref of ['refs/heads/main', 'refs/heads/release/1', 'refs/heads/x', 'refs/tags/x'])
      await push(ref)
    const events = await desk.database.selectFrom('hook_event').selectAll().orderBy('id').execute()
    expect(events.map(({ facts }) => (facts as { ref: string }).ref)).toEqual([
      ...heard.map((branch) => `refs/heads/${branch}`),
      'refs/tags/x',
    ])
  })
})
