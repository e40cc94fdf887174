import type { Database } from '../../database/connect.js'
import { hasPassword } from '../../database/stores/password-store.js'
import type { MailTransport } from '../../integrations/mail/smtp-transport.js'
import { countAll, countAllRunners } from '../overview/store.js'
import type { SetUpFacts } from './steps.js'

export interface SetUpDeps {
  database: Database
  /** URL that clients use, without a trailing slash. */
  externalUrl: string
  /** Whether the settings name that URL. */
  isUrlConfigured: boolean
  /** Undefined if the settings name no mail server. */
  mailTransport: MailTransport | undefined
  /** The identity providers of the settings. */
  providers: readonly { name: string; label: string }[]
  /** When the last backup was complete, as ISO 8601. */
  lastBackupAt: () => Promise<string | undefined>
}

/** What the steps of the set-up depend on, for the administrator who looks at them. */
export async function readFacts(deps: SetUpDeps, { id }: { id: number }): Promise<SetUpFacts> {
  const { database, externalUrl, isUrlConfigured, providers } = deps
  return {
    externalUrl,
    isUrlConfigured,
    sendsMails: deps.mailTransport !== undefined,
    providers: providers.map(({ label }) => label),
    administrator: {
      hasPassword: await hasPassword(database, id),
      hasPasskey: await hasPasskey(database, id),
      hasIdentity: await hasIdentity(deps, id),
    },
    counts: await countAll(database),
    runners: await countAllRunners(database, Date.now()),
    lastBackupAt: await deps.lastBackupAt(),
  }
}

async function hasPasskey(database: Database, userId: number): Promise<boolean> {
  const row = await database
    .selectFrom('passkey')
    .select('user_id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Only providers of the settings sign users in. */
async function hasIdentity(
  { database, providers }: Pick<SetUpDeps, 'database' | 'providers'>,
  userId: number,
): Promise<boolean> {
  const rows = await database
    .selectFrom('user_identity')
    .select('provider')
    .where('user_id', '=', userId)
    .execute()
  return rows.some((row) => providers.some(({ name }) => name === row.provider))
}
