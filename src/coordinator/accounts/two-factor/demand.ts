import { type RawBuilder, sql } from 'kysely'

import { HOUR } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { listEnrolmentDeadlines, setEnrolmentDeadline } from '../../database/stores/web-session-store.js'
import { inTransaction } from '../../database/transaction.js'
import { deleteDemand, insertDemands, listDemands } from './store.js'

/*
 * Who needs a second factor: all people, if the instance says so, and the members of a group that says so, with the members
 * of its subgroups and of the groups around it. A user who is found to need one gets a demand with the time, and the grace
 * periods count from then on; the shortest one of those that apply decides. The demand stays while the user has a factor:
 * turning it off begins no new grace period.
 *
 *   needs none -> demanded -> (grace period) -> sessions are only for setting up a factor -> has one
 */

/** What is asked of a user who needs a second factor. */
export interface Need {
  /** The grace period. */
  hours: number
  hasFactor: boolean
}

/** A deadline of sessions, in milliseconds since 1970; null = none. */
export interface Deadline {
  userId: number
  deadline: number | null
}

/**
 * When the user has to have a second factor, in milliseconds since 1970; null for one who has it or needs none. Records
 * since when it is demanded.
 */
export async function enrolmentDeadline(database: Database, userId: number): Promise<number | null> {
  const needs = await needsOf(database, sql`u.id = ${userId}`)
  if (!needs.has(userId)) {
    await deleteDemand(database, userId)
    return null
  }
  await insertDemands(database, [userId])
  return deadlineOf(
    needs.get(userId),
    await sinceOf(database, sql`user_id = ${userId}`).then((of) => of.get(userId)),
  )
}

/** Whether the user may do nothing else before setting up a second factor. */
export async function mustEnrolNow(database: Database, userId: number): Promise<boolean> {
  const deadline = await enrolmentDeadline(database, userId)
  return deadline !== null && deadline <= Date.now()
}

/** Users whose rows are inserted by one statement. */
const BATCH = 500

/**
 * Periodic task: applies changes of the settings of the instance and of groups, and of memberships, to the sessions that
 * are open. New sessions ask `enrolmentDeadline`.
 */
export async function applyDemands(database: Database): Promise<void> {
  const withSession = sql`exists (select 1 from web_session where web_session.user_id = u.id)`
  const needs = await needsOf(database, withSession)
  const userIds = [...needs.keys()]
  for (let from = 0; from < userIds.length; from += BATCH) {
    await insertDemands(database, userIds.slice(from, from + BATCH))
  }
  await inTransaction(database, async (tx) => {
    const known = await listEnrolmentDeadlines(tx)
    for (const changed of changedDeadlines(known, needs, await sinceOf(tx, sql`true`))) {
      await setEnrolmentDeadline(tx, changed)
    }
  })
}

/** The deadlines that differ from those that the sessions have. `since`: of the demands, in milliseconds since 1970. */
export function changedDeadlines(
  known: readonly Deadline[],
  needs: ReadonlyMap<number, Need>,
  since: ReadonlyMap<number, number>,
): Deadline[] {
  const wanted = new Map(
    known.map(({ userId }) => [userId, deadlineOf(needs.get(userId), since.get(userId))]),
  )
  const stale = new Set(known.filter(({ userId, deadline }) => wanted.get(userId) !== deadline))
  return [...new Set([...stale].map(({ userId }) => userId))].map((userId) => ({
    userId,
    deadline: wanted.get(userId) ?? null,
  }))
}

function deadlineOf(need: Need | undefined, since: number | undefined): number | null {
  return need === undefined || need.hasFactor || since === undefined ? null : since + need.hours * HOUR
}

async function sinceOf(database: Database, condition: RawBuilder<unknown>): Promise<Map<number, number>> {
  const demands = await listDemands(database, condition)
  return new Map(demands.map(({ user_id, since }) => [user_id, since]))
}

/** The users who meet the condition on `u` and need a second factor. */
async function needsOf(database: Database, condition: RawBuilder<unknown>): Promise<Map<number, Need>> {
  const settings = await effectiveSettings(
    database,
    'require_two_factor_authentication',
    'two_factor_grace_period',
  )
  const ofAll = settings.require_two_factor_authentication ? [settings.two_factor_grace_period] : []
  const { rows } = await sql<{ id: number; of_groups: number | null; factors: number }>`
    select u.id, (
      select min(demanding.two_factor_grace_period) from member
        join group_tree as own on own.group_id = member.group_id or own.ancestor_id = member.group_id
        join namespace as demanding on demanding.id in (own.group_id, own.ancestor_id)
      where member.user_id = u.id and demanding.require_two_factor_authentication = ${sql.lit(true)}
    ) as of_groups, (
      (select count(*) from totp_factor where totp_factor.user_id = u.id and confirmed_at is not null)
        + (select count(*) from passkey where passkey.user_id = u.id)
    ) as factors
    from "user" as u where ${condition} and u.kind = 'human'`.execute(database)
  return new Map(
    rows.flatMap(({ id, of_groups, factors }) => {
      const all = of_groups === null ? ofAll : [...ofAll, of_groups]
      return all.length === 0 ? [] : [[id, { hours: Math.min(...all), hasFactor: factors > 0 }] as const]
    }),
  )
}
