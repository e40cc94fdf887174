import { type Kysely, sql } from 'kysely'

/** Several users may have an e-mail address until it is confirmed for one of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index user_email_email_once`.execute(db)
  await sql`create unique index user_email_confirmed_once on user_email (lower(email)) where confirmed_at is not null`.execute(
    db,
  )
  await sql`create unique index user_email_claimed_once on user_email (user_id, lower(email))`.execute(db)
}
