import { type Kysely, sql } from 'kysely'

/** Executes statements one after the other. Each ends with a semicolon at the end of a line. */
export async function executeStatements(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(/;\n/)) if (statement.trim() !== '') await sql.raw(statement).execute(db)
}
