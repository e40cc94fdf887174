import { isEmailAddress } from '../../../lib/is-email-address.js'
import {
  readSetUp,
  recordTestMail,
  setSetUpFinished,
  setStepSkipped,
} from '../../database/stores/set-up-store.js'
import { invalidRecord } from '../../http/errors.js'
import { type Operation, operation, respond } from '../../http/operation.js'
import { readFacts, type SetUpDeps } from './facts.js'
import { NewSetUpState, NewStepState, SentTestMail, SetUp, TestMail } from './schema.js'
import { sendTestMail } from './send-test-mail.js'
import { stepsOf } from './steps.js'

/** The first hour of an administrator (API, N15). */
export function setUpOperations(deps: SetUpDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /admin/set_up', {
      summary: 'Get which steps of the set-up of the instance are done',
      access: 'administrator',
      responses: { 200: SetUp },
      run: ({ user }) => describe(user),
    }),
    operation('PUT /admin/set_up', {
      summary: 'End the set-up of the instance, or begin it again',
      access: 'administrator',
      params: NewSetUpState,
      responses: { 200: SetUp },
      run: async ({ user, params }) => {
        await setSetUpFinished(database, params.finished)
        return describe(user)
      },
    }),
    operation('PUT /admin/set_up/steps/:step', {
      summary: 'Skip a step of the set-up, or take it up again',
      access: 'administrator',
      params: NewStepState,
      responses: { 200: SetUp },
      run: async ({ user, params }) => {
        await setStepSkipped(database, params.step, params.skipped)
        return describe(user)
      },
    }),
    operation('POST /admin/set_up/test_mail', {
      summary: 'Send a test mail, and wait until the mail server takes it',
      access: 'administrator',
      params: TestMail,
      limit: { perMinute: 6 },
      responses: { 201: SentTestMail },
      run: async ({ user, params }) => {
        const to = params.to ?? user.email
        if (!isEmailAddress(to)) throw invalidRecord({ to: ['is invalid'] })
        await sendTestMail(deps, to)
        await recordTestMail(database, Date.now())
        return respond(201, { to })
      },
    }),
  ]

  async function describe(user: { id: number }): Promise<SetUp> {
    const record = await readSetUp(database)
    const facts = await readFacts(deps, user)
    return { finished: record.isFinished, sends_mails: facts.sendsMails, steps: stepsOf(facts, record) }
  }
}
