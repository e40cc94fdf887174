import { createApplication } from '../../../src/coordinator/accounts/applications/applications.js'
import { insertGrant } from '../../../src/coordinator/accounts/oauth-grant-store.js'
import { issueOauthToken } from '../../../src/coordinator/accounts/oauth/issue-token.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'

/** The access token of an application to which the user has granted the scopes, for these projects alone. */
export async function limitedToken(
  database: Database,
  user: { id: number },
  projectIds: number[] | null,
  scopes: string[] = ['mcp'],
): Promise<string> {
  const redirect_uri = 'https://mender.example/back'
  const { id } = await createApplication(database, {
    name: 'Mender',
    redirect_uri,
    scopes,
    confidential: false,
  })
  return inTransaction(database, async (tx) => {
    const grant = await insertGrant(tx, {
      application_id: id,
      user_id: user.id,
      scopes: JSON.stringify(scopes),
      project_ids: projectIds && JSON.stringify(projectIds),
      created_at: Date.now(),
    })
    return (await issueOauthToken(tx, grant, scopes)).response.access_token
  })
}
