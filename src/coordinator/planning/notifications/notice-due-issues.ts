import { DAY } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import { findSetting, raiseSetting } from '../../database/stores/instance-setting-store.js'
import { inTransaction } from '../../database/transaction.js'
import { mailContext } from '../../integrations/mail/mail-context.js'
import { storeNotice } from '../../integrations/mail/notice-store.js'
import type { PlanningFacts } from '../notices/mail-notices.js'

/** Setting with the last day whose issues have notices, in days since 1970. */
const NOTICED = 'due_issues_noticed'

/** Periodic task: once a day (UTC), stores notices of the open issues that are due on the next one. */
export async function noticeDueIssues(database: Database, now: number = Date.now()): Promise<void> {
  if (!mailContext(database)) return
  const day = Math.floor(now / DAY) + 1
  const tomorrow = new Date(day * DAY).toISOString().slice(0, 10)
  if (Number(await findSetting(database, NOTICED)) >= day) return
  await inTransaction(database, async (tx) => {
    // Another coordinator waits here, and then has nothing to do.
    if (!(await raiseSetting(tx, NOTICED, day))) return
    const issues = await tx
      .selectFrom('issue')
      .innerJoin('project', 'project.id', 'issue.project_id')
      .select(['issue.id', 'issue.project_id'])
      .where('issue.due_date', '=', tomorrow)
      .where('issue.state', '=', 'opened')
      .where('project.archived', '=', false)
      .orderBy('issue.id')
      .execute()
    for (const { id, project_id } of issues) {
      const facts: PlanningFacts = { id, change: 'due', actorId: null }
      await storeNotice(tx, 'issue', project_id, facts)
    }
  })
}
