import { expect, test } from 'vitest'

import { resetInstanceRegistrationToken } from '../../../../src/coordinator/ci/runners/registration-tokens.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { onFinished } from '../../../support/lifetime.js'
import { HookReceiver } from '../../ci/signals/hook-receiver.js'
import { RunnerClient } from '../../support/runner-client.js'
import { setSettings } from '../../support/set-settings.js'
import { openChat } from './chat-scene.js'

const LOG = [
  'section_start:1700000000:step_script\r\x1b[0K$ echo',
  'noise',
  'section_start:1700000001:chat_reply\r\x1b[0K',
  '\x1b[32m<b> & ``` done\x1b[0m',
  'section_end:1700000002:chat_reply\r\x1b[0K',
  'section_end:1700000003:step_script\r\x1b[0K',
  'Job succeeded',
  '',
].join('\n')

/** A chat that waits for responses, a runner, and a job `hello`. */
async function openReplies(open?: OpenDatabase) {
  const scene = await openChat(open, { egress: { allowLocalNetwork: false } })
  const { services, app, ok, P, ada, connect, say } = scene
  await setSettings(services, { allow_local_requests_from_web_hooks_and_services: true })
  await connect(ada, 'U1')
  const content = 'hello: { script: echo, only: [chat] }'
  await ok(`POST ${P}/repository/files/.gitlab-ci.yml`, { branch: 'main', content, commit_message: 'CI' })
  const chat = await HookReceiver.start()
  const url = `${await app.app.listen({ host: '127.0.0.1', port: 0 })}/api/v4`
  const token = await resetInstanceRegistrationToken(services.database, services.secrets)
  const registered = await app.call(undefined, 'POST /runners', { token })
  const runner = new RunnerClient(url, registered.json<{ token: string }>().token)
  const stopping = new AbortController()
  const running = services.chatReplies.run(stopping.signal)
  onFinished(async () => {
    stopping.abort()
    await running
  })
  const run = (response_url = `${chat.url}/commands/1234`) => say('run hello', 'U1', { response_url })
  const finish = async (state: string, log = LOG, isDebug = false) => {
    const job = await runner.takeJob()
    await runner.patch(job, `0-${log.length - 1}`, log, isDebug)
    await runner.update(job, state)
    return job.job_info
  }
  const rows = () => services.database.selectFrom('chat_reply').selectAll().execute()
  return { ...scene, chat, run, finish, rows }
}

describeOnDatabase('responses to commands', (open) => {
  test('come when the job has ended, with what it has written for the chat', async () => {
    const { chat, run, finish, rows } = await openReplies(open)
    const started = await run()
    const link = /<\S+\/pipelines\/\d+\|pipeline #\d+>/.exec(started.text)?.[0]
    expect(chat.received).toEqual([])
    const [waiting] = await rows()
    expect(waiting?.url_encrypted).not.toContain('1234')
    await finish('success')
    const [result] = await chat.until(1)
    expect(result).toMatchObject({
      method: 'POST',
      path: '/commands/1234',
      headers: { 'content-type': 'application/json' },
    })
    expect(result?.text).toBe(
      JSON.stringify({
        response_type: 'in_channel',
        text: `hello has passed in ${link}\n\`\`\`\n&lt;b&gt; &amp; ''' done\n\`\`\``,
      }),
    )
    await expect.poll(rows).toEqual([])
  })

  test('are tried again later if the chat does not take them, until it is too late', async () => {
    const { chat, run, finish, rows, services } = await openReplies(open)
    chat.respond = (response) => {
      response.statusCode = 503
      response.end()
    }
    await run()
    await finish('failed', 'no section\n')
    const [result] = await chat.until(1)
    expect(String(result?.body['text'])).toMatch(/^hello has failed in <[^>]+>$/)
    const delay = () => rows().then(([row]) => Math.round(((row?.due_at ?? 0) - Date.now()) / 60_000))
    await expect.poll(delay).toBe(7)
    await services.database.updateTable('chat_reply').set({ due_at: 0, expires_at: 1 }).execute()
    services.chatReplies.schedule(0)
    await expect.poll(rows).toEqual([])
    expect(chat.received).toHaveLength(1)
  })
})

test('a debug log is not sent, and a refused response is not repeated', async () => {
  const { chat, run, finish, rows } = await openReplies()
  chat.respond = (response) => {
    response.statusCode = 404
    response.end()
  }
  await run()
  await finish('success', LOG, true)
  const [result] = await chat.until(1)
  expect(String(result?.body['text'])).toMatch(/^hello has passed in <[^>]+>$/)
  await expect.poll(rows).toEqual([])
})

test('responses follow the rules for addresses that users give', async () => {
  const { chat, run, finish, rows, services } = await openReplies()
  await run('javascript:alert(1)')
  expect(await rows()).toEqual([])
  await finish('success')
  await run()
  await setSettings(services, { allow_local_requests_from_web_hooks_and_services: false })
  await finish('success')
  await expect.poll(rows).toEqual([])
  expect(chat.received).toEqual([])
})
