import type { Database } from '../connect.js'
import { findSetting, findSettings, insertSetting, setSetting } from './instance-setting-store.js'

/** Steps with which an administrator sets up a new installation, in their order. */
export const SET_UP_STEPS = ['address', 'mail', 'sign_in', 'group', 'runner', 'project', 'backup'] as const
export type SetUpStep = (typeof SET_UP_STEPS)[number]

export interface SetUpRecord {
  /** False from the first start until an administrator ends the set-up. True for installations of former versions. */
  isFinished: boolean
  skipped: ReadonlySet<SetUpStep>
  /** When a mail server took a test mail, in milliseconds since 1970. */
  mailTestedAt: number | undefined
}

// Each has a row of its own, so that changes at the same time do not undo each other.
const STATE = 'set_up'
const MAIL_TESTED = 'set_up_mail_tested'
const keyOf = (step: SetUpStep) => `set_up_skipped_${step}`

/** Call it in the transaction that creates the first administrator. */
export async function openSetUp(database: Database): Promise<void> {
  await insertSetting(database, STATE, 'open')
}

export async function isSetUpOpen(database: Database): Promise<boolean> {
  return (await findSetting(database, STATE)) === 'open'
}

export async function readSetUp(database: Database): Promise<SetUpRecord> {
  const values = await findSettings(database, [STATE, MAIL_TESTED, ...SET_UP_STEPS.map(keyOf)])
  const tested = values.get(MAIL_TESTED)
  return {
    isFinished: values.get(STATE) !== 'open',
    skipped: new Set(SET_UP_STEPS.filter((step) => values.get(keyOf(step)) === 'true')),
    mailTestedAt: tested === undefined ? undefined : Number(tested),
  }
}

export async function setSetUpFinished(database: Database, isFinished: boolean): Promise<void> {
  await setSetting(database, STATE, isFinished ? 'finished' : 'open')
}

export async function setStepSkipped(database: Database, step: SetUpStep, isSkipped: boolean): Promise<void> {
  await setSetting(database, keyOf(step), String(isSkipped))
}

export async function recordTestMail(database: Database, now: number): Promise<void> {
  await setSetting(database, MAIL_TESTED, String(now))
}
